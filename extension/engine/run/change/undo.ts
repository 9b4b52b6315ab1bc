import type { JournalWriter } from '../../journal/journal-access';
import type { JournalState } from '../../journal/journal-state';
import { OperationRefused } from '../../journal/operation-refused';
import { planRedo, type UndoPlan } from '../../journal/undo';

/** Carries out the undo planned for the newest state. Returns the seqs of the undone compactions. */
export async function undo(
  writer: JournalWriter,
  planOf: (state: JournalState) => UndoPlan,
): Promise<readonly number[]> {
  let compactions: readonly number[] = [];
  await writer.append((lastSeq, state) => {
    const plan = planOf(state);
    if (plan.kind !== 'undoes') throw undoRefusal(plan);
    compactions = [...plan.asked, ...plan.alsoUndone];
    return [{ kind: 'undo', seq: lastSeq + 1, time: writer.now(), compactions }];
  });
  return compactions;
}

/** Reverts the newest undo. Returns the seqs of the compactions that are active again. */
export async function redo(writer: JournalWriter): Promise<readonly number[]> {
  let compactions: readonly number[] = [];
  await writer.append((lastSeq, state) => {
    const plan = planRedo(state);
    if (plan.kind !== 'redoes') throw new OperationRefused('There is nothing to redo.');
    compactions = plan.compactions;
    return [{ kind: 'redo', seq: lastSeq + 1, time: writer.now(), compactions }];
  });
  return compactions;
}

function undoRefusal(plan: Exclude<UndoPlan, { kind: 'undoes' }>): OperationRefused {
  switch (plan.kind) {
    case 'nothing-to-undo':
      return new OperationRefused('There is no compaction to undo.');
    case 'unknown-compaction':
      return new OperationRefused('There is no compaction #{0} of Strata in this journal.', [plan.seq]);
    case 'already-undone':
      return new OperationRefused('Compaction #{0} is already undone.', [plan.seq]);
  }
}
