import type { JournaledCompaction, JournalState } from './journal-state';

export type UndoPlan =
  | {
      readonly kind: 'undoes';
      /** What was asked for. */
      readonly asked: readonly number[];
      /** Later compactions whose blocks lie over these and come undone with them. */
      readonly alsoUndone: readonly number[];
    }
  | { readonly kind: 'nothing-to-undo' }
  | { readonly kind: 'unknown-compaction'; readonly seq: number }
  | { readonly kind: 'already-undone'; readonly seq: number };

/** Plans the undo of one compaction, whenever it was made; without a seq, of the newest run. */
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

/** Plans the undo of all that is still in force of a run. */
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

/** The newest undo is taken back first. A compaction made since leaves nothing to redo. */
export function planRedo(state: JournalState): RedoPlan {
  const compactions = state.redoable.at(-1);
  return compactions ? { kind: 'redoes', compactions } : { kind: 'nothing-to-redo' };
}

/** The active compaction that this one's block lies directly beneath. */
export function coveringCompaction(state: JournalState, seq: number): JournaledCompaction | null {
  return state.compactions.find(({ record, active }) => active && record.swallowed.includes(seq)) ?? null;
}
