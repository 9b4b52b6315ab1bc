import { describe, expect, it } from 'vitest';
import { kappa, squared } from './kappa';

describe('kappa', () => {
  it('is 1 for readers who agree, and 0 if they agree as often as by chance', () => {
    expect(
      kappa([
        [1, 1],
        [5, 5],
      ]),
    ).toBe(1);
    expect(
      kappa([
        [1, 1],
        [1, 5],
        [5, 1],
        [5, 5],
      ]),
    ).toBe(0);
  });

  it('weighs marks that are far apart more than neighbours', () => {
    const near = kappa(
      [
        [1, 2],
        [5, 5],
        [3, 3],
      ],
      squared,
    );
    const far = kappa(
      [
        [1, 4],
        [5, 5],
        [3, 3],
      ],
      squared,
    );
    expect(near).toBeGreaterThan(far ?? 1);
  });

  it('says nothing if everything has one mark', () => {
    expect(kappa([['a', 'a']])).toBeNull();
  });
});
