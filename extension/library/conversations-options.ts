import type { ContextEvent } from '../conversations/events';
import type { ConversationShelf } from '../conversations/shelves/shelf';
import type { Telemetry } from '../conversations/telemetry';
import type { PinKind } from '../engine/core/core';
import type { WhenItFails } from '../middleware/requests/not-compacted';
import type { AgentContext } from './agent-context';
import type { ContextOptions } from './options';

/** An item of the core that is in every request, word for word. */
export interface LastingPin {
  readonly kind: PinKind;
  readonly text: string;
  readonly rationale?: string;
}

/** How the contexts of many conversations are managed. Only the window is required. */
export interface ConversationsOptions extends Omit<ContextOptions, 'window' | 'id' | 'journal' | 'conversation'> {
  /** The context window in tokens, or a function that returns it for a model's name. For a result that is not a number above 0, 200,000 are assumed. */
  readonly window: number | ((model: string) => number);
  /** Tokens of the window that are reserved for the answer. Default: a tenth of the window. */
  readonly replyTokens?: number;
  /** Pinned in every conversation when it begins. */
  readonly pins?: readonly LastingPin[];
  /** Default: the thousand conversations used last, in memory; `onNotice` says which one was dropped. `strata-context/node` has `conversationFolder`. */
  readonly shelf?: ConversationShelf;
  /**
   * All requests are one person's. Then a request without a key that leaves out the newest messages of its conversation goes back in it,
   * and keeps its pins. Default: such a request may be another agent's, so it begins a conversation of its own.
   */
  readonly goesBack?: boolean;
  /**
   * False: a request without tools and replies, such as for a title, is sent unchanged and not recorded; it does not get the `pins` either.
   * If a later request continues it, that request is recorded completely. Default: true.
   */
  readonly keepsOneOffs?: boolean;
  /**
   * Decides what happens to a request that cannot be recorded or made to fit. `send`: it is sent unchanged, and `onNotice` says why. `throw`:
   * nothing is sent, and the call rejects with `NotCompacted`. Default: `send`.
   */
  readonly whenItFails?: WhenItFails;
  /** Called once for each conversation, when it begins or is opened for the first time. */
  readonly onConversation?: (context: AgentContext) => void;
  /**
   * Called with what happened to a conversation without a request by the person: compactions, overflows, messages that were not recorded.
   */
  readonly onEvent?: (event: ContextEvent) => void;
  /** Called with each request, its answer and each event: `openTelemetry()` of `strata-context/opentelemetry`. */
  readonly telemetry?: Telemetry;
  /** Called with messages for the developer: a provider compacts too, a request could not be read. Default: `console.warn`. */
  readonly onNotice?: (message: string) => void;
}
