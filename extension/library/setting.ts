import type { CompactionSettings } from '../conversations/compaction/settings';
import type { WritingTools } from '../engine/block/strategy';
import type { TokenLedger } from '../engine/conversation/tokens';
import type { Effects } from '../engine/run/workbench';
import type { CircuitBreaker } from '../models/circuit-breaker';
import type { Threads } from './options';

/** The options of a context, completed with their defaults. */
export interface Setting extends CompactionSettings {
  readonly window: number;
  readonly tools: WritingTools;
  readonly breaker: CircuitBreaker;
  readonly ledger: TokenLedger;
  readonly effects: Effects;
  /** Null if all work is done on this thread. */
  readonly threads: Threads | null;
  readonly onSchedule: (sentence: string) => void;
}
