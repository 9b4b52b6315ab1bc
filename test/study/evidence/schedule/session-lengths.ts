import { expectedRest } from '../../../../extension/engine/run/automation/schedule';

/** Sessions with fewer requests are in no measure of costs, so they are left out here too. */
export const fewestRequests = 15;

export interface LengthFit {
  readonly scale: number;
  readonly shape: number;
}

/** The Lomax distribution of the lengths above the minimum with the highest likelihood; null if there are none. */
export function fitLengths(lengths: readonly number[]): LengthFit | null {
  const long = lengths.filter((length) => length > fewestRequests);
  if (long.length === 0) return null;
  const fits = scales.map((scale) => {
    const logs = long.map((length) => Math.log((scale + length) / (scale + fewestRequests)));
    const sum = logs.reduce((total, log) => total + log, 0);
    const shape = long.length / sum;
    return { scale, shape, likelihood: long.length * Math.log(shape / (scale + fewestRequests)) - (shape + 1) * sum };
  });
  const [best] = fits.sort((one, other) => other.likelihood - one.likelihood);
  return best ? { scale: best.scale, shape: best.shape } : null;
}

/** In requests. */
const scales = Array.from({ length: 60 }, (_, at) => Math.round(10 * 1.1 ** at));

export interface LengthCheck {
  /** Number of requests so far. */
  readonly requests: number;
  readonly expected: number;
  /** Number of sessions that had that many, and the share of them that continued as long as expected. */
  readonly sessions: number;
  readonly share: number;
}

const moments = [20, 40, 80, 160] as const;

export function checkLengths(lengths: readonly number[]): LengthCheck[] {
  return moments.flatMap((requests) => {
    const reached = lengths.filter((length) => length > requests);
    const expected = expectedRest(requests);
    const longer = reached.filter((length) => length >= requests + expected);
    if (reached.length === 0) return [];
    return [{ requests, expected, sessions: reached.length, share: longer.length / reached.length }];
  });
}
