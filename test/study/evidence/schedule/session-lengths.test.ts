import { describe, expect, it } from 'vitest';
import { checkLengths, fitLengths } from './session-lengths';

describe('lengths of sessions', () => {
  it('are fitted by the distribution that they were drawn from', () => {
    // Parameters of a distribution, whose quantiles above the minimum length are the sample.
    const [scale, shape, fewest, count] = [200, 4, 15, 2000];
    const drawn = Array.from({ length: count }, (_, at) => {
      const share = (at + 0.5) / count;
      return (scale + fewest) * (1 - share) ** (-1 / shape) - scale;
    });
    const fit = fitLengths(drawn);
    const meanRest = ((fit?.scale ?? 0) + fewest) / ((fit?.shape ?? 0) - 1);
    expect(meanRest).toBeCloseTo((scale + fewest) / (shape - 1), -1);
    expect(fitLengths([15, 3])).toBeNull();
  });

  it('are checked by the number of sessions that continue as long as expected', () => {
    const [first] = checkLengths([21, 30, 90]);
    expect(first).toMatchObject({ requests: 20, sessions: 3, share: 2 / 3 });
  });
});
