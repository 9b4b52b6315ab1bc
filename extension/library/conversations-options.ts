import type { ConversationShelf } from '../conversations/shelves/shelf';
import type { PinKind } from '../engine/core/core';
import type { AgentContext } from './agent-context';
import type { ContextOptions } from './options';

/** Something that stands in every request, word for word. */
export interface LastingPin {
  readonly kind: PinKind;
  readonly text: string;
  readonly rationale?: string;
}

/** How the contexts of many conversations are kept. Only the window has to be said. */
export interface ConversationsOptions extends Omit<ContextOptions, 'window' | 'id' | 'journal' | 'conversation'> {
  /** How many tokens the model takes, or how many each model takes by its name; where that is no number above 0, 200,000 are assumed. */
  readonly window: number | ((model: string) => number);
  /** What must stay free of it for the answer, in tokens; absent: a tenth of it. */
  readonly replyTokens?: number;
  /** Pinned in every conversation when it begins. */
  readonly pins?: readonly LastingPin[];
  /** Absent: in memory, the hundred that were used last. `strata-context/node` has `conversationFolder`. */
  readonly shelf?: ConversationShelf;
  /** Called once for each conversation that was begun, or gone on with for the first time. */
  readonly onConversation?: (context: AgentContext) => void;
  /** What the developer should know: a provider that compacts, too, a request that could not be read. Absent: `console.warn`. */
  readonly onNotice?: (message: string) => void;
}
