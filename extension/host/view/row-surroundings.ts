import type { ContextMessage } from '../../engine/conversation/context';
import type { TokenLedger } from '../../engine/conversation/tokens';
import type { BlockView } from '../../protocol/view';

export interface RowSurroundings {
  readonly ledger: TokenLedger;
  /** Number of a turn within the whole conversation, by the id of its prompt. */
  readonly turnOf: (entryId: string) => number | null;
  /** Kinds of active core items pinned from an entry. */
  readonly pinnedOf: (entryId: string) => readonly string[];
  readonly blockOf: (message: ContextMessage) => BlockView | null;
  /** Address of the conversation that a call started. */
  readonly subagentOf: (callId: string) => string | null;
}
