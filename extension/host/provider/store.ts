import type * as vscode from 'vscode';
import type { PreparedRun } from '../../engine/run/prepared-run';
import type { OwnConversation } from '../../inspection/own-conversation';
import type { RequestStore } from '../../middleware/requests/kept-conversation';
import { Beginnings } from '../../sessions/strata/beginnings';
import type { ConversationMaker } from '../../sessions/strata/records';
import type { OwnConversations } from '../conversations/own-conversations';

export interface StoreServices {
  readonly conversations: OwnConversations;
  /** A conversation was compacted by itself. */
  readonly onCompacted: (conversation: OwnConversation, run: PreparedRun) => void;
  readonly log: vscode.LogOutputChannel;
}

/** Strata's conversations, as models and gateway use them. `cwd` is the folder that the person works in. */
export function conversationStore(
  { conversations, onCompacted, log }: StoreServices,
  madeBy: ConversationMaker,
  cwd: () => string | null,
): RequestStore<OwnConversation> {
  const beginnings = new Beginnings(conversations.folders.conversations, (message) => log.warn(message));
  const telling = async (conversation: OwnConversation, compacting: Promise<PreparedRun | null>) => {
    const run = await compacting;
    if (run) onCompacted(conversation, run);
    return run;
  };
  return {
    beginnings: (begins) => beginnings.of(begins),
    create: (begins) => conversations.create(madeBy, cwd(), begins),
    open: (id) => conversations.open(id),
    compactIfDue: (conversation, signal) => telling(conversation, conversations.compactIfDue(conversation, signal)),
    compactNow: (conversation, signal) => telling(conversation, conversations.compactToFit(conversation, signal)),
  };
}
