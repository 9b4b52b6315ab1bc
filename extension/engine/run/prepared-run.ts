import type { CompactionPlan } from '../block/plan';
import type { Context } from '../conversation/context';
import type { CompactionRecord } from '../journal/journal';

/** A run that is ready: its records are still to be written to the journal. Preparing changes nothing. */
export interface PreparedRun {
  readonly strategy: string;
  readonly before: Context;
  readonly after: Context;
  /** Empty when there was nothing to do; `notes` then says why. */
  readonly records: readonly CompactionRecord[];
  /** The records' plans, in the same order. */
  readonly plans: readonly CompactionPlan[];
  readonly notes: readonly string[];
  /** Calls of a model that came to nothing; each names the call and says why. */
  readonly failures: readonly string[];
  /** What all summaries of the run used up, those that were rejected included. */
  readonly tokensSpent: { readonly input: number; readonly output: number };
}
