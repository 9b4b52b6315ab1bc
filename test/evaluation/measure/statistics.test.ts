import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Random } from '../../../extension/evaluation/measure/random';
import { meanWithInterval, minClusters, verdictOf } from '../../../extension/evaluation/measure/statistics';

const samples = fc.array(
  fc.record({
    cluster: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    value: fc.double({ min: -1, max: 1, noNaN: true }),
  }),
  { minLength: 1, maxLength: 40 },
);

describe('a mean with its interval', () => {
  it('lies within its interval, which lies within the values, and is deterministic', () => {
    fc.assert(
      fc.property(samples, (list) => {
        const estimate = meanWithInterval(list);
        if (!estimate) throw new Error('there are samples');
        const values = list.map(({ value }) => value);
        expect(estimate.low).toBeGreaterThanOrEqual(Math.min(...values) - 1e-9);
        expect(estimate.high).toBeLessThanOrEqual(Math.max(...values) + 1e-9);
        expect(estimate.low).toBeLessThanOrEqual(estimate.high);
        expect(estimate.count).toBe(list.length);
        expect(meanWithInterval(list)).toEqual(estimate);
      }),
      { numRuns: 60 },
    );
  });

  it('a mean with its interval is null for no samples', () => {
    expect(meanWithInterval([])).toBeNull();
  });

  it('a mean with its interval has a width that depends on how clusters differ, not on the number of values', () => {
    const same = Array.from({ length: 30 }, (_, index) => ({ cluster: `${index % 6}`, value: 0.5 }));
    expect(meanWithInterval(same)).toMatchObject({ mean: 0.5, low: 0.5, high: 0.5, tasks: 6 });
    const byCluster = (copies: number) =>
      Array.from({ length: 6 * copies }, (_, index) => ({ cluster: `${index % 6}`, value: Number(index % 6 < 3) }));
    const [few, many] = [meanWithInterval(byCluster(1)), meanWithInterval(byCluster(50))];
    expect(many?.high).toBeCloseTo(few?.high ?? 0, 5);
  });

  it('covers the true mean about as often as its level says', () => {
    const random = new Random('coverage', 1);
    const trials = 200;
    const covered = Array.from({ length: trials }, () => {
      const draw = Array.from({ length: 30 }, (_, index) => ({
        cluster: `${index}`,
        value: random.below(1000) / 1000,
      }));
      const { low, high } = meanWithInterval(draw) ?? { low: 1, high: 0 };
      return low <= 0.4995 && 0.4995 <= high;
    }).filter(Boolean).length;
    expect(covered / trials).toBeGreaterThan(0.88);
  });
});

describe('a verdict', () => {
  const estimate = (low: number, high: number, tasks = 10) => ({ mean: (low + high) / 2, low, high, count: 40, tasks });

  it('a verdict is clear only if the interval excludes 0', () => {
    expect(verdictOf(estimate(0.1, 0.3), 'higher')).toBe('better');
    expect(verdictOf(estimate(0.1, 0.3), 'lower')).toBe('worse');
    expect(verdictOf(estimate(-0.3, -0.1), 'lower')).toBe('better');
    expect(verdictOf(estimate(-0.1, 0.3), 'higher')).toBe('unclear');
    expect(verdictOf(estimate(0, 0.3), 'higher')).toBe('unclear');
  });

  it('a verdict is unclear with too few tasks', () => {
    expect(verdictOf(estimate(0.1, 0.3, minClusters - 1), 'higher')).toBe('unclear');
  });
});
