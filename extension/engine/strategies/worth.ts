import type { CompactionPlan } from '../block/plan';
import { usualLength } from '../compaction/request';

/** Counted tokens that a block over turns is worth at least. */
const least = 400;

/** Counted tokens of a block over these turns that is neither padded nor shortened without need. */
export function worthOf(turns: CompactionPlan['turns']): number {
  return Math.max(least, usualLength(turns.flatMap(({ replaced }) => replaced)));
}
