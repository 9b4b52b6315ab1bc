import type { CompactionPlan } from '../block/plan';
import { usualLength } from '../compaction/request';

/** Minimum worth of a block over turns, in counted tokens. */
const least = 400;

/** Counted tokens of a block over these turns that is neither padded nor shortened without need. */
export function worthOf(turns: CompactionPlan['turns']): number {
  return Math.max(least, usualLength(turns.flatMap(({ replaced }) => replaced)));
}
