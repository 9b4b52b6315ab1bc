import type { Context } from '../conversation/context';
import type { CompactionRecord } from '../journal/records';
import type { PreparedRun } from './prepared-run';

/** Tokens of what a block replaces and of the block, in the unit of the context. */
export interface BlockSize {
  readonly before: number;
  readonly after: number;
}

export interface RunSizes {
  /** One for each record of the run. */
  readonly blocks: readonly BlockSize[];
  /** Tokens by which the rest of the context grows: the protected core, which is told again after a compaction. */
  readonly added: number;
}

/** The sizes of a block that was made, by the calibration of its context. */
export function sizeOfRecord(
  { tokensBefore, tokensAfter }: Pick<CompactionRecord, 'tokensBefore' | 'tokensAfter'>,
  calibration: number,
): BlockSize {
  return { before: Math.round(tokensBefore * calibration), after: Math.round(tokensAfter * calibration) };
}

/**
 * The sizes of a run's blocks. What the blocks save, less what is added, is what the context loses: also where a later
 * block of the run replaces an earlier one.
 */
export function sizesOfRun({ before, after, records }: Pick<PreparedRun, 'before' | 'after' | 'records'>): RunSizes {
  const { calibration } = before.tokens;
  let counted = countedIn(before);
  const blocks = records.map(({ tokensBefore, tokensAfter }) => {
    const above = Math.round(counted * calibration);
    counted -= tokensBefore - tokensAfter;
    const left = Math.round(tokensAfter * calibration);
    return { before: left + above - Math.round(counted * calibration), after: left };
  });
  const added = Math.round(countedIn(after) * calibration) - Math.round(counted * calibration);
  return { blocks, added };
}

/** What a model that writes the blocks of a run reads and writes, in counted tokens: by the same run without a model. */
export function expectedWriting({ plans, records }: Pick<PreparedRun, 'plans' | 'records'>): {
  readonly sent: number;
  readonly written: number;
} {
  const sent = records.reduce((total, { tokensBefore }, index) => (plans[index] ? total + tokensBefore : total), 0);
  return { sent, written: records.reduce((total, { tokensAfter }) => total + tokensAfter, 0) };
}

function countedIn({ messages }: Context): number {
  return messages.reduce((total, { tokens }) => total + tokens, 0);
}
