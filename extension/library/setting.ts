import type { Parameters } from '../engine/block/plan';
import type { WritingTools } from '../engine/block/strategy';
import type { VerificationMode } from '../engine/compaction/verify';
import type { TokenLedger } from '../engine/conversation/tokens';
import type { Journal } from '../engine/journal/journal-access';
import type { StrategyChoice } from '../engine/run/registry';
import type { CircuitBreaker } from '../models/circuit-breaker';
import type { AutomationOptions, Effects } from './options';
import type { ConversationStore } from './stores';

/** The options of a context with nothing left open. */
export interface Setting {
  readonly window: number;
  readonly choice: StrategyChoice;
  readonly parameters: Readonly<Record<string, Parameters>>;
  readonly tools: WritingTools;
  readonly breaker: CircuitBreaker;
  readonly ledger: TokenLedger;
  readonly store: ConversationStore;
  readonly journal: Journal;
  readonly automation: AutomationOptions;
  readonly verification: VerificationMode;
  readonly effects: Effects;
}
