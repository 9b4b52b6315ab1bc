import { OperationRefused } from '../../engine/journal/operation-refused';
import type { AutomationDecision } from '../../engine/run/automation/automation';
import type { PreparedRun } from '../../engine/run/prepare/prepared-run';
import type { Workbench } from '../../engine/run/workbench';
import type { LocalizableText } from '../../engine/wording/localizable-text';
import type { Troubles } from '../troubles';

/** Result of `compactIfNeeded`. */
export type AutomaticOutcome =
  | Exclude<AutomationDecision, { readonly kind: 'run' }>
  | { readonly kind: 'compacted'; readonly run: PreparedRun }
  /** A run was due, but no block was worthwhile or the model failed; the run has the reason. */
  | { readonly kind: 'came-to-nothing'; readonly run: PreparedRun }
  /** The model failed several times in a row, so it is not called for a while. */
  | { readonly kind: 'stopped'; readonly message: string }
  /** Another process changed the journal meanwhile. Call `refresh` and continue. */
  | { readonly kind: 'overtaken'; readonly message: string };

/** Result of a compaction that was started. */
export type BegunOutcome = Exclude<AutomaticOutcome, AutomationDecision>;

/** Applies a run. If another process has compacted the same entries meanwhile, its compaction counts. */
export async function tryApply(workbench: Pick<Workbench, 'apply'>, run: PreparedRun): Promise<BegunOutcome> {
  if (run.records.length === 0) return { kind: 'came-to-nothing', run };
  try {
    await workbench.apply(run);
    return { kind: 'compacted', run };
  } catch (error) {
    if (!(error instanceof OperationRefused)) throw error;
    return { kind: 'overtaken', message: error.message };
  }
}

/** Reports why a due compaction was not made, or only in part. */
export function reportOutcome(outcome: BegunOutcome, troubles: Troubles): void {
  if (outcome.kind === 'compacted' && outcome.run.failures.length === 0) troubles.over();
  if (outcome.kind === 'overtaken') troubles.tell(outcome.message);
  // The message contains the remaining time, so it differs each time.
  if (outcome.kind === 'stopped') troubles.tell(outcome.message, outcome.kind);
  for (const failure of failuresOf(outcome)) troubles.tell(`Compacting failed: ${failure}`);
}

export function failuresOf(outcome: BegunOutcome): readonly LocalizableText[] {
  return 'run' in outcome ? outcome.run.failures : [];
}
