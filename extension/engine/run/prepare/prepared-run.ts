import type { LossReport } from '../../block/loss';
import type { CompactionPlan } from '../../block/plan';
import type { Context } from '../../conversation/context';
import type { CompactionRecord } from '../../journal/records';
import type { LocalizableText } from '../../wording/localizable-text';

/** A prepared run, whose records are not yet written to the journal. Preparing changes nothing. */
export interface PreparedRun {
  readonly strategy: string;
  readonly before: Context;
  readonly after: Context;
  /** Empty if there was nothing to do; `notes` then says why. */
  readonly records: readonly CompactionRecord[];
  /** Says what `after` still has of the replaced messages; null without records. */
  readonly loss: LossReport | null;
  /** The records' plans, in the same order. */
  readonly plans: readonly CompactionPlan[];
  readonly notes: readonly LocalizableText[];
  /** Failed model calls; each text names the call and the reason. */
  readonly failures: readonly LocalizableText[];
  /** Tokens of all summaries of the run, including rejected ones. */
  readonly tokensSpent: { readonly input: number; readonly output: number };
}
