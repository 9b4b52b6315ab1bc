import type { PreparedRun } from '../../engine/compaction/run';
import type { OwnConversation } from '../../inspection/own-conversation';
import type { ConversationStore } from './kept-requests';
import type { ModelProviderServices } from './register';

/** Strata's conversations, as the models use them. `cwd` is the folder that the person works in. */
export function conversationStore(
  { conversations, onCompacted }: Pick<ModelProviderServices, 'conversations' | 'onCompacted'>,
  cwd: () => string | null,
): ConversationStore {
  const telling = async (conversation: OwnConversation, compacting: Promise<PreparedRun | null>) => {
    const run = await compacting;
    if (run) onCompacted(conversation, run);
    return run;
  };
  return {
    folder: conversations.folders.conversations,
    create: (begins) => conversations.create('model-provider', cwd(), begins),
    open: (id) => conversations.open(id),
    compactIfDue: (conversation, signal) => telling(conversation, conversations.compactIfDue(conversation, signal)),
    compactNow: (conversation, signal) => telling(conversation, conversations.compactToFit(conversation, signal)),
  };
}
