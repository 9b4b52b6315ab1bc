import { defaultStrategy, findStrategy } from '../../../../extension/engine/run/prepare/registry';
import type { Boundary } from '../../../../extension/evaluation/measure/replay/boundaries';
import { findHeld, type Needs } from '../../../../extension/evaluation/measure/replay/measure';
import { runStrategy, type WayOrder } from '../../../../extension/evaluation/measure/replay/ways';
import type { SizeLeft } from '../found';

/** Sizes as shares of what is replaced. */
const shares = [0.75, 0.5, 0.25, 0.125] as const;

/** In tokens. In a real window, a smaller context is not compacted. */
const leastReplaced = 40_000;

/** The needs of the work after a boundary, and how much of them the default strategy keeps in each size. */
export async function measureSizes(
  boundary: Boundary,
  needs: Needs,
  order: Omit<WayOrder, 'budget'> & { readonly pause: () => Promise<void> },
): Promise<SizeLeft[]> {
  const replaced = order.ledger.ofEntries(boundary.replaced);
  const choice = findStrategy(defaultStrategy);
  if (!choice || replaced < leastReplaced) return [];
  const sizes: SizeLeft[] = [];
  for (const share of shares) {
    await order.pause();
    order.signal.throwIfAborted();
    const left = await runStrategy(choice, boundary, { ...order, budget: null, target: Math.round(replaced * share) });
    const { names, messages } = findHeld(left.text, needs);
    sizes.push({ share, tokens: left.tokens, names: names.length, messages: messages.length });
  }
  return sizes;
}
