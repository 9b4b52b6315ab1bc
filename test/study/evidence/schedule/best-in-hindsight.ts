import { fits, mustLeave, promptCost, rereadTokens } from '../../../../extension/engine/run/automation/schedule';
import type { Trace } from './trace';

/**
 * The lowest cost of compactions between turns to these shares of the window, given the whole session. A request that
 * does not fit within a turn is compacted to half of the window, as under every schedule. Its time is quadratic in the
 * requests.
 */
export function bestInHindsight(trace: Trace, targets: readonly number[]): number {
  const { base, window, added, isWarm, opensTurn, prices } = trace;
  const count = added.length;
  const sizes = [...targets, mustLeave].map((share) => Math.max(base, window * share) + rereadTokens);
  const forced = sizes.length - 1;
  // `least[at][size]`: cost of the requests from `at` on, after a compaction before it to that size.
  const least = Array.from({ length: count + 1 }, () => sizes.map(() => Number.POSITIVE_INFINITY));
  const from = (at: number, tokensAtIt: number, costAtIt: number): number => {
    let [tokens, cost] = [tokensAtIt, costAtIt];
    let best = Number.POSITIVE_INFINITY;
    for (let next = at + 1; next < count; next += 1) {
      const after = least[next] ?? [];
      for (const [index, size] of opensTurn[next] ? sizes.entries() : []) {
        if (size < tokens) best = Math.min(best, cost + (after[index] ?? 0));
      }
      const grown = tokens + (added[next] ?? 0);
      if (grown > window * fits && (sizes[forced] ?? 0) < tokens) return Math.min(best, cost + (after[forced] ?? 0));
      cost += promptCost(grown, isWarm[next] ? tokens : base, prices);
      tokens = grown;
    }
    return Math.min(best, cost);
  };
  for (let at = count - 1; at >= 1; at -= 1) {
    for (const [index, size] of sizes.entries()) {
      const tokens = size + (added[at] ?? 0);
      const row = least[at];
      if (row) row[index] = from(at, tokens, promptCost(tokens, base, prices));
    }
  }
  return from(0, base, 0);
}
