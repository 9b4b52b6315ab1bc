import { groupedBy } from '../conversation/grouped-by';
import type { JournaledCompaction, JournalState } from './journal-state';

/** The blocks of one Apply, one `/compact` or one automatic compaction. Runs are listed, counted and undone as a whole. */
export interface JournaledRun {
  /** Its number: the seq of its first record, even if that record is damaged. */
  readonly run: number;
  /** In order of creation; at least one. */
  readonly blocks: readonly JournaledCompaction[];
  /** False once all of its blocks are undone. */
  readonly active: boolean;
}

/** In order of creation, including undone ones. Linear in the number of blocks. */
export function runsOf({ compactions }: Pick<JournalState, 'compactions'>): JournaledRun[] {
  return [...groupedBy(compactions, ({ record }) => record.run)].map(([run, blocks]) => ({
    run,
    blocks,
    active: blocks.some(({ active }) => active),
  }));
}

/** The run with this number, or with a block of this number. */
export function runWith(state: Pick<JournalState, 'compactions'>, seq: number): JournaledRun | undefined {
  const run = state.compactions.find(({ record }) => record.seq === seq)?.record.run ?? seq;
  return runsOf(state).find((each) => each.run === run);
}

/** The numbers of the runs to which these blocks belong, ascending. */
export function runNumbers({ compactions }: Pick<JournalState, 'compactions'>, seqs: readonly number[]): number[] {
  const named = new Set(seqs);
  const runs = new Set(compactions.filter(({ record }) => named.has(record.seq)).map(({ record }) => record.run));
  return [...runs].sort((a, b) => a - b);
}
