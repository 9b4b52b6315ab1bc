import type { ContextMessage } from '../../engine/conversation/context';
import type { TokenLedger } from '../../engine/conversation/tokens';
import type { BlockView } from '../../protocol/view';

export interface RowSurroundings {
  readonly ledger: TokenLedger;
  /** The person's turns, numbered over the whole conversation, by entry id. */
  readonly turnOf: (entryId: string) => number | null;
  /** Kinds of active core items by the entry they were pinned from. */
  readonly pinnedOf: (entryId: string) => readonly string[];
  readonly blockOf: (message: ContextMessage) => BlockView | null;
  /** The address of the conversation that a call started. */
  readonly subagentOf: (callId: string) => string | null;
}

/** A tool result shows with its call, so a call's row needs the message that answers it. */
export type Answers = ReadonlyMap<string, ContextMessage>;

/** Which messages answer which calls, and which calls there are, by the id of the call. */
export interface CallAnswers {
  readonly answers: Answers;
  readonly called: { has(callId: string): boolean };
}
