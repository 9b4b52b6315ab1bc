import { tokensOf } from '../../conversation/context';
import { oncePer } from '../../conversation/once-per';
import type { JournalState } from '../../journal/journal-state';
import type { CompactionRecord } from '../../journal/records';
import { runsOf } from '../../journal/runs';
import type { PreparedRun } from './prepared-run';
import { findStrategy } from './registry';
import { coveredBy } from './run-blocks';

/** Tokens of what a block replaces and of the block, in the unit of the context. */
export interface BlockSize {
  readonly before: number;
  readonly after: number;
}

interface RunSizes {
  /** One per record of the run. The size of a block over others covers everything beneath it. */
  readonly blocks: readonly BlockSize[];
  /** Tokens by which the rest of the context grows: the protected core is stated again after a compaction. */
  readonly added: number;
}

/** The sizes of a run's blocks. What the blocks in the context save, less what is added, is what the context loses. */
export function sizesOfRun({ before, after, records }: Pick<PreparedRun, 'before' | 'after' | 'records'>): RunSizes {
  const { calibration } = before.tokens;
  let counted = tokensOf(before.messages);
  const blocks = records.map(({ tokensBefore, tokensAfter }) => {
    const above = Math.round(counted * calibration);
    counted -= tokensBefore - tokensAfter;
    const left = Math.round(tokensAfter * calibration);
    return { before: left + above - Math.round(counted * calibration), after: left };
  });
  const added = Math.round(tokensOf(after.messages) * calibration) - Math.round(counted * calibration);
  return { blocks: withCovered(records, blocks), added };
}

/** Counted tokens that each block of a journal replaces, by its seq: of the messages that the context had before the run. */
export function tokensReplaced({ compactions }: Pick<JournalState, 'compactions'>): ReadonlyMap<number, number> {
  return tokensReplacedBy(compactions);
}

const tokensReplacedBy = oncePer((compactions: JournalState['compactions']): ReadonlyMap<number, number> => {
  const found = new Map<number, number>();
  for (const { blocks } of runsOf({ compactions })) {
    const records = blocks.map(({ record }) => record);
    const own = records.map(({ tokensBefore, tokensAfter }) => ({ before: tokensBefore, after: tokensAfter }));
    const sizes = withCovered(records, own);
    for (const [index, { seq }] of records.entries()) found.set(seq, sizes[index]?.before ?? 0);
  }
  return found;
});

/** A standing block also saves what those beneath it saved. */
function withCovered(records: readonly CompactionRecord[], sizes: readonly BlockSize[]): BlockSize[] {
  const savedBelow = new Map<CompactionRecord, number>();
  for (const [index, cover] of coveredBy(records).entries()) {
    const { before = 0, after = 0 } = sizes[index] ?? {};
    if (cover !== null) savedBelow.set(cover, (savedBelow.get(cover) ?? 0) + before - after);
  }
  return records.map((record, index) => {
    const { before = 0, after = 0 } = sizes[index] ?? {};
    return { before: before + (savedBelow.get(record) ?? 0), after };
  });
}

/**
 * Estimated counted tokens that a model reads and writes for the blocks of a run, from the same run without a model.
 * Blocks of steps that ask no model do not count.
 */
export function expectedWriting({ strategy, plans, records }: Pick<PreparedRun, 'strategy' | 'plans' | 'records'>): {
  readonly sent: number;
  readonly written: number;
} {
  const steps = findStrategy(strategy)?.steps ?? [];
  const asking = new Set(steps.filter(({ withoutModel }) => !withoutModel).map(({ name }) => name));
  const written = records.filter((record, index) => plans[index] && asking.has(record.strategy));
  return {
    sent: written.reduce((total, { tokensBefore }) => total + tokensBefore, 0),
    written: written.reduce((total, { tokensAfter }) => total + tokensAfter, 0),
  };
}
