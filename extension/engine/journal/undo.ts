import type { JournaledCompaction, JournalState } from './journal-state';

export type UndoPlan =
  | {
      readonly kind: 'undoes';
      /** The compactions to undo. */
      readonly asked: readonly number[];
      /** Later compactions whose blocks cover these. They are undone too. */
      readonly alsoUndone: readonly number[];
    }
  | { readonly kind: 'nothing-to-undo' }
  | { readonly kind: 'unknown-compaction'; readonly seq: number }
  | { readonly kind: 'already-undone'; readonly seq: number };

/** Plans to undo one compaction, or without `seq` the newest run. */
export function planUndo(state: JournalState, seq?: number): UndoPlan {
  if (seq === undefined) return planUndoOfRun(state, newestRun(state));
  const compaction = state.compactions.find(({ record }) => record.seq === seq);
  if (!compaction) return { kind: 'unknown-compaction', seq };
  if (!compaction.active) return { kind: 'already-undone', seq };
  return undoOf(state, [seq]);
}

function newestRun({ compactions }: JournalState): number | undefined {
  return compactions.findLast(({ active }) => active)?.record.run;
}

/** Plans to undo what is still active of a run. */
export function planUndoOfRun(state: JournalState, run: number | undefined): UndoPlan {
  const asked = state.compactions.filter(({ record, active }) => active && record.run === run);
  if (asked.length === 0) return { kind: 'nothing-to-undo' };
  return undoOf(
    state,
    asked.map(({ record }) => record.seq),
  );
}

function undoOf(state: JournalState, asked: readonly number[]): UndoPlan {
  const undone = new Set(asked);
  for (const { record, active } of state.compactions) {
    if (active && record.swallowed.some((seq) => undone.has(seq))) undone.add(record.seq);
  }
  const alsoUndone = [...undone].filter((seq) => !asked.includes(seq));
  return { kind: 'undoes', asked, alsoUndone };
}

export type RedoPlan =
  | { readonly kind: 'redoes'; readonly compactions: readonly number[] }
  | { readonly kind: 'nothing-to-redo' };

/** Redoes the newest undo. After a new compaction there is nothing to redo. */
export function planRedo(state: JournalState): RedoPlan {
  const compactions = state.redoable.at(-1);
  return compactions ? { kind: 'redoes', compactions } : { kind: 'nothing-to-redo' };
}

/** The active compaction whose block directly covers this one. */
export function coveringCompaction(state: JournalState, seq: number): JournaledCompaction | null {
  return state.compactions.find(({ record, active }) => active && record.swallowed.includes(seq)) ?? null;
}
