import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { atThreshold, bestSchedule, byCost, costUnder, noSchedule, scheduleCosts } from './schedules';
import type { Trace } from './trace';

const prices = { read: 0.1, write: 1.25, lifetime: 60 };

function trace(added: readonly number[], more: Partial<Trace> = {}): Trace {
  const isWarm = more.isWarm ?? added.map((_, at) => at > 0);
  const opensTurn = added.map(() => true);
  return { added, isWarm, mayBeWarm: isWarm, opensTurn, base: 20_000, window: 200_000, prices, ...more };
}

function costsOf(of: Trace): ReadonlyMap<string, number> {
  return new Map(scheduleCosts(of).map(({ schedule, cost }) => [schedule, cost]));
}

describe('schedules of compactions', () => {
  it('cost at least what the best in hindsight costs', () => {
    const step = fc.record({ tokens: fc.integer({ min: 0, max: 30_000 }), warm: fc.boolean(), opens: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 40 }), (steps) => {
        const isWarm = steps.map(({ warm }) => warm);
        const opensTurn = steps.map(({ opens }) => opens);
        const added = steps.map(({ tokens }) => tokens);
        const costs = costsOf(trace(added, { isWarm, opensTurn }));
        const best = costs.get(bestSchedule) ?? 0;
        for (const cost of costs.values()) expect(cost).toBeGreaterThanOrEqual(best * (1 - 1e-9));
      }),
      { numRuns: 60 },
    );
  });

  it('price a session without compactions by what its cache has', () => {
    expect(costsOf(trace([0, 1000, 1000])).get(noSchedule)).toBeCloseTo(
      20_000 * 0.1 + 1000 * 1.25 + 21_000 * 0.1 + 1000 * 1.25,
    );
  });

  it('by cost compact as soon as the cache is cold, but not if the few expected requests would not pay for it', () => {
    const added = [0, 50_000, ...Array.from({ length: 40 }, () => 2000), 500];
    const cold = trace(added, { isWarm: added.map((_, at) => at > 0 && at < added.length - 1) });
    expect(costUnder(cold, byCost([0.5]))).toMatchObject({ compactions: 1, forced: 0 });
    expect(costUnder(trace(added), byCost([0.5])).compactions).toBe(0);
  });

  it('compact between turns, and within one only what would not fit', () => {
    const added = [0, 100_000, 40_000, 31_000];
    const working = trace(added, { opensTurn: added.map(() => false) });
    expect(costUnder(working, atThreshold(0.6, 0.5))).toMatchObject({ compactions: 1, forced: 1 });
    expect(costUnder(trace(added), atThreshold(0.6, 0.5))).toMatchObject({ compactions: 1, forced: 0 });
  });
});
