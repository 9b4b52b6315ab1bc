import type { PreparedRun } from '../../engine/compaction/run';
import type { OwnConversation } from '../../inspection/own-conversation';
import type { RequestStore } from '../../middleware/requests/kept-conversation';
import { Beginnings } from '../../sessions/strata/beginnings';
import type { ModelProviderServices } from './register';

/** Strata's conversations, as the models use them. `cwd` is the folder that the person works in. */
export function conversationStore(
  { conversations, onCompacted, log }: Pick<ModelProviderServices, 'conversations' | 'onCompacted' | 'log'>,
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
    create: (begins) => conversations.create('model-provider', cwd(), begins),
    open: (id) => conversations.open(id),
    compactIfDue: (conversation, signal) => telling(conversation, conversations.compactIfDue(conversation, signal)),
    compactNow: (conversation, signal) => telling(conversation, conversations.compactToFit(conversation, signal)),
  };
}
