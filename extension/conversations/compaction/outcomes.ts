import { OperationRefused } from '../../engine/journal/operation-refused';
import type { AutomationDecision } from '../../engine/run/automation';
import type { PreparedRun } from '../../engine/run/prepared-run';
import type { Workbench } from '../../engine/run/workbench';
import type { LocalizableText } from '../../engine/wording/localizable-text';
import type { Troubles } from '../troubles';

/** What came of `compactIfNeeded`. */
export type AutomaticOutcome =
  | Exclude<AutomationDecision, { readonly kind: 'run' }>
  | { readonly kind: 'compacted'; readonly run: PreparedRun }
  /** It was due, and no block was worth it or the model failed; the run says why. */
  | { readonly kind: 'came-to-nothing'; readonly run: PreparedRun }
  /** The model failed several times in a row, so it is left alone for a while. */
  | { readonly kind: 'stopped'; readonly message: string }
  /** Somebody else changed the journal meanwhile. `refresh` and go on. */
  | { readonly kind: 'overtaken'; readonly message: string };

/** What came of a compaction that was begun. */
export type BegunOutcome = Exclude<AutomaticOutcome, AutomationDecision>;

/** Somebody may have compacted the same from outside meanwhile; then that is what holds. */
export async function carriedOut(workbench: Pick<Workbench, 'apply'>, run: PreparedRun): Promise<BegunOutcome> {
  if (run.records.length === 0) return { kind: 'came-to-nothing', run };
  try {
    await workbench.apply(run);
    return { kind: 'compacted', run };
  } catch (error) {
    if (!(error instanceof OperationRefused)) throw error;
    return { kind: 'overtaken', message: error.message };
  }
}

/** Why nothing, or not all, was compacted that should have been. */
export function tellOutcome(outcome: BegunOutcome, troubles: Troubles): void {
  if (outcome.kind === 'compacted' && outcome.run.failures.length === 0) troubles.over();
  if (outcome.kind === 'overtaken') troubles.tell(outcome.message);
  // The time that is left to wait is another one each time.
  if (outcome.kind === 'stopped') troubles.tell(outcome.message, outcome.kind);
  for (const failure of failuresOf(outcome)) troubles.tell(`Compacting failed: ${failure}`);
}

export function failuresOf(outcome: BegunOutcome): readonly LocalizableText[] {
  return 'run' in outcome ? outcome.run.failures : [];
}
