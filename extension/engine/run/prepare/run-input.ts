import type { Parameters } from '../../block/plan';
import type { WritingTools } from '../../block/strategy';
import type { ContextRange } from '../../compaction/range';
import type { VerificationMode } from '../../compaction/verify';
import type { Conversation } from '../../conversation/conversation';
import type { TokenLedger } from '../../conversation/tokens';
import type { JournalState } from '../../journal/journal-state';

/** The parts of an order for a run that the run itself reads. */
export interface RunOrder {
  readonly instructions: string | null;
  /** Parameters by strategy name; absent ones have their defaults. */
  readonly parameters: Readonly<Record<string, Parameters>>;
  readonly tools: WritingTools;
  readonly signal: AbortSignal;
  /** Target size of the whole context in tokens. Absent: from the strategy's own parameters. */
  readonly targetTokens?: number;
  /** Plans as for a model, although none writes: to estimate what a model would read and write. */
  readonly sizedForModel?: true;
  /** Ignores the strategy's own trigger, because the next request would not fit. */
  readonly isDue?: boolean;
  readonly onProgress?: (progress: RunProgress) => void;
  /** Limits the messages that the run may touch. Absent: all that the strategy may touch. */
  readonly range?: ContextRange;
}

export interface RunInput extends RunOrder {
  readonly conversation: Conversation;
  readonly state: JournalState;
  readonly strategy: string;
  readonly contextWindow: number;
  readonly trigger: 'manual' | 'automatic';
  /** `unchecked`: no loss report is made, because it would not be read. Unusable blocks are still rejected. */
  readonly verification: VerificationMode | 'unchecked';
  /** Once the context has at most this many tokens, only steps that start by count make further blocks. */
  readonly floorTokens: number;
  readonly ledger: TokenLedger;
  /** ISO 8601. */
  readonly now: () => string;
  /** Milliseconds, for durations only. */
  readonly clock: () => number;
  /**
   * The tool by which the agent retrieves what a compaction leaves out. Absent: it cannot, so blocks contain no
   * references.
   */
  readonly recallTool?: string;
  /** Leaves the core out of the context, to measure what a strategy keeps by itself. */
  readonly withoutCore?: true;
}

export interface RunProgress {
  readonly strategy: string;
  /** Finished blocks of this round, and their total number. */
  readonly done: number;
  readonly of: number;
  /** The text of the current block, as far as it has been streamed. */
  readonly text: string;
}
