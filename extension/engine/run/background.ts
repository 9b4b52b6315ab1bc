import type { Conversation } from '../conversation/conversation';
import type { TokenLedger } from '../conversation/tokens';
import type { PreparedRun } from './prepare/prepared-run';
import type { RunInput } from './prepare/run-input';

/** Does long work elsewhere, for example in a thread, with the same results. */
export interface Background {
  /**
   * Adds missing token counts of the agent's context to the ledger. Counts that are still missing afterwards are made
   * on demand. Rejects only on abort, with the signal's reason.
   */
  count(conversation: Conversation, ledger: TokenLedger, signal: AbortSignal): Promise<void>;
  /** The result of `prepareRun`; null if the caller must prepare it. Rejects as `prepareRun` does, or on lost work. */
  prepare(input: RunInput): Promise<PreparedRun | null>;
}
