import type { Conversation } from '../conversation/conversation';
import type { TokenLedger } from '../conversation/tokens';
import type { PreparedRun } from './prepared-run';
import type { RunInput } from './run';

/** Does elsewhere what takes long, in a thread for example. What comes of it is the same as if it were done here. */
export interface Background {
  /**
   * Adds counts to the ledger that it lacks of the agent's context. A count that is still missing then is made when it is
   * asked for. Rejects with the signal's reason on abort, and never otherwise.
   */
  count(conversation: Conversation, ledger: TokenLedger, signal: AbortSignal): Promise<void>;
  /** What `prepareRun` gives; null if it has to be prepared here. Rejects as `prepareRun` does, or if it came to no end. */
  prepare(input: RunInput): Promise<PreparedRun | null>;
}
