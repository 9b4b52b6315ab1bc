import type { CompactionPlan } from '../block/plan';
import { isRaw, tokensOf } from '../block/strategy';

/** Shares of their tokens that a block over these messages is worth. Blocks were made short before. */
const worth = { ofBlocks: 0.7, ofRaw: 0.2, least: 400 };

/** Counted tokens of a block over these turns that is neither padded nor shortened without need. */
export function worthOf(turns: CompactionPlan['turns']): number {
  const replaced = turns.flatMap((turn) => turn.replaced);
  const raw = tokensOf(replaced.filter(isRaw));
  return Math.max(worth.least, raw * worth.ofRaw + (tokensOf(replaced) - raw) * worth.ofBlocks);
}
