import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bestSchedule,
  costUnder,
  noSchedule,
  scheduleCosts,
  type Trace,
  whenItPays,
} from '../../../../extension/evaluation/measure/schedule/schedules';

const prices = { read: 0.1, write: 1.25 };

function trace(added: readonly number[], more: Partial<Trace> = {}): Trace {
  return { added, isWarm: added.map((_, at) => at > 0), base: 20_000, window: 200_000, prices, ...more };
}

describe('schedules of compactions', () => {
  it('cost at least what the best in hindsight costs', () => {
    const step = fc.record({ tokens: fc.integer({ min: 0, max: 30_000 }), warm: fc.boolean() });
    fc.assert(
      fc.property(fc.array(step, { minLength: 2, maxLength: 40 }), (steps) => {
        const costs = new Map(
          scheduleCosts(
            trace(
              steps.map(({ tokens }) => tokens),
              { isWarm: steps.map(({ warm }) => warm) },
            ),
          ),
        );
        const best = costs.get(bestSchedule) ?? 0;
        for (const cost of costs.values()) expect(cost).toBeGreaterThanOrEqual(best * (1 - 1e-9));
      }),
      { numRuns: 60 },
    );
  });

  it('price a session without compactions by what its cache has', () => {
    const costs = new Map(scheduleCosts(trace([0, 1000, 1000])));
    expect(costs.get(noSchedule)).toBeCloseTo(20_000 * 0.1 + 1000 * 1.25 + 21_000 * 0.1 + 1000 * 1.25);
  });

  it('a session that ends soon is not compacted, because it would not pay', () => {
    const short = trace([0, 60_000, 500, 500]);
    expect(costUnder(short, whenItPays(0.25)).compactions).toBe(0);
    const long = trace([0, 60_000, ...Array.from({ length: 60 }, () => 500)]);
    expect(costUnder(long, whenItPays(0.25)).compactions).toBeGreaterThan(0);
  });

  it('a cold cache is the moment to compact, because the prompt is written anyway', () => {
    const added = [0, 60_000, 500, 500];
    const pause = trace(added, { isWarm: [false, true, true, false] });
    expect(costUnder(pause, whenItPays(0.25)).compactions).toBe(1);
  });

  it('compact what would not fit, whatever the schedule', () => {
    const full = trace([0, 100_000, 80_000, 1000]);
    expect(costUnder(full, () => null).compactions).toBe(1);
  });
});
