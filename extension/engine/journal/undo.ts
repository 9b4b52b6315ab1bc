import type { JournaledCompaction, JournalState } from './journal-state';
import { type JournaledRun, runsOf, runWith } from './runs';

export type UndoPlan =
  | {
      readonly kind: 'undoes';
      /** The blocks to undo. */
      readonly asked: readonly number[];
      /** Later blocks that are undone too: those of runs that cover these. */
      readonly alsoUndone: readonly number[];
    }
  | { readonly kind: 'nothing-to-undo' }
  | { readonly kind: 'unknown-compaction'; readonly seq: number }
  | { readonly kind: 'already-undone'; readonly seq: number };

/** Plans to undo the run with this number or with a block of this number; without `seq`, the newest run. */
export function planUndo(state: JournalState, seq?: number): UndoPlan {
  const run = seq === undefined ? runsOf(state).findLast(({ active }) => active) : runWith(state, seq);
  if (!run) return seq === undefined ? { kind: 'nothing-to-undo' } : { kind: 'unknown-compaction', seq };
  return run.active ? undoOfRun(state, run) : { kind: 'already-undone', seq: run.run };
}

/** Includes each later run with a block over an undone one. Runs are in order, so one pass finds all. */
function undoOfRun(state: JournalState, run: JournaledRun): UndoPlan {
  const asked = activeSeqs(run);
  const undone = new Set(asked);
  for (const { blocks } of runsOf(state)) {
    const covers = blocks.some(({ record, active }) => active && record.swallowed.some((seq) => undone.has(seq)));
    if (covers) for (const seq of activeSeqs({ blocks })) undone.add(seq);
  }
  return { kind: 'undoes', asked, alsoUndone: [...undone].filter((seq) => !asked.includes(seq)) };
}

function activeSeqs({ blocks }: Pick<JournaledRun, 'blocks'>): number[] {
  return blocks.filter(({ active }) => active).map(({ record }) => record.seq);
}

/** Plans to undo a single block, with the blocks that cover it. The rest of its run stays. */
export function planUndoOfBlock(state: JournalState, seq: number): UndoPlan {
  const compaction = state.compactions.find(({ record }) => record.seq === seq);
  if (!compaction) return { kind: 'unknown-compaction', seq };
  if (!compaction.active) return { kind: 'already-undone', seq };
  const undone = new Set([seq]);
  for (const { record, active } of state.compactions) {
    if (active && record.swallowed.some((each) => undone.has(each))) undone.add(record.seq);
  }
  return { kind: 'undoes', asked: [seq], alsoUndone: [...undone].filter((each) => each !== seq) };
}

type RedoPlan =
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
