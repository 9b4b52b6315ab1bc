import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { Notices } from '../../conversations/requests/recording-notices';
import { RequestRecorder } from '../../conversations/requests/request-recorder';
import type { PreparedRun } from '../../engine/run/prepare/prepared-run';
import type { ConversationMaker } from '../../sessions/strata/records';
import { translated } from '../failures/failure-text';
import { readSetting } from '../settings';
import type { EditorConversation, EditorConversations } from './editor-conversations';

/** Services for the components that receive requests. */
export interface RequestServices {
  readonly conversations: EditorConversations;
  /** A conversation was compacted automatically. */
  readonly onCompacted: (conversation: EditorConversation, run: PreparedRun) => void;
  readonly log: vscode.LogOutputChannel;
}

/** Stores requests in Strata's own conversations. */
export function requestRecorder(
  services: RequestServices,
  madeBy: ConversationMaker,
): RequestRecorder<EditorConversation> {
  const store = services.conversations.store(madeBy);
  const now = () => new Date().toISOString();
  return new RequestRecorder(store, requestNotices(services), now, randomUUID, {
    goesBack: true,
    /** Whether requests that are asked only once are stored too. */
    get keepsOneOffs() {
      return readSetting<boolean>('conversations.keepOneOffs', false);
    },
  });
}

/** Reports a failed write to the person once, not with every request. */
export function requestNotices({ onCompacted, log }: RequestServices): Notices<EditorConversation> {
  let isReported = false;
  return {
    compacted: (message, conversation, run) => {
      log.info(message);
      onCompacted(conversation, run);
    },
    warn: (message) => log.warn(message),
    // One line of JSON each, for programs that read the log. Contains no text of a conversation.
    event: (event) => log.info(`event ${JSON.stringify(event)}`),
    notRecorded: (message) => {
      log.error(String(message));
      if (isReported) return;
      isReported = true;
      const effect = vscode.l10n.t('The model is sent all of it, but Strata cannot show or compact what is new.');
      void vscode.window.showWarningMessage(`${translated(message)} ${effect}`);
    },
  };
}
