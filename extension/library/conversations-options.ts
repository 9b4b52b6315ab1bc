import type { ContextEvent } from '../conversations/events';
import type { ConversationShelf } from '../conversations/shelves/shelf';
import type { Telemetry } from '../conversations/telemetry';
import type { PinKind } from '../engine/core/core';
import type { WhenItFails } from '../middleware/requests/not-compacted';
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
  /** Absent: in memory, the thousand that were used last; `onNotice` is told which one was dropped. `strata-context/node` has `conversationFolder`. */
  readonly shelf?: ConversationShelf;
  /**
   * All requests are one person's. A request without a key that leaves out the newest messages of its conversation goes back in
   * it then, and keeps its pins. Absent: it may be another agent's, and begins a conversation of its own.
   */
  readonly goesBack?: boolean;
  /**
   * False: a request without tools that has no reply in it, such as for a title, is sent on unchanged and not kept, also without
   * `pins`. If it is gone on with, the next request is kept with all of it. Absent: true.
   */
  readonly keepsOneOffs?: boolean;
  /**
   * What becomes of a request that cannot be kept or made to fit: `send` sends it as it is, and `onNotice` is told why; `throw` sends
   * nothing, and the call rejects with `NotCompacted`. Absent: `send`.
   */
  readonly whenItFails?: WhenItFails;
  /** Called once for each conversation that was begun, or gone on with for the first time. */
  readonly onConversation?: (context: AgentContext) => void;
  /** What happened to a conversation by itself, as values: compactions, overflows, what was not kept. */
  readonly onEvent?: (event: ContextEvent) => void;
  /** Called with each request, its answer and each event: `openTelemetry()` of `strata-context/opentelemetry`. */
  readonly telemetry?: Telemetry;
  /** What the developer should know: a provider that compacts, too, a request that could not be read. Absent: `console.warn`. */
  readonly onNotice?: (message: string) => void;
}
