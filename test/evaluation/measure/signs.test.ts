import { describe, expect, it } from 'vitest';
import { matchesSigns } from '../../../extension/evaluation/measure/tasks/signs';

const latency = [
  ['p99', 'latency'],
  ['250 ms', '250ms'],
];

describe('signs', () => {
  it('signs match any alternative in one sentence or line, ignoring case', () => {
    expect(matchesSigns('Keep the P99 under 250ms.', latency)).toBe(true);
    expect(matchesSigns('- latency: at most 250 ms', latency)).toBe(true);
  });

  it('signs do not match if a group is missing or in another place', () => {
    expect(matchesSigns('Keep the p99 low.', latency)).toBe(false);
    expect(matchesSigns('The p99 matters.\nA frame takes 250 ms.', latency)).toBe(false);
  });

  it('signs match whole words only', () => {
    expect(matchesSigns('It takes 1250 ms at p99.', latency)).toBe(false);
    expect(matchesSigns('The chart is ready.', [['art']])).toBe(false);
    expect(matchesSigns("It's the team’s (art).", [['art'], ["team's"]])).toBe(true);
  });

  it('signs match within two consecutive sentences of a long line', () => {
    const long = 'We talked about many things that do not matter here at all. '.repeat(6);
    expect(matchesSigns(`${long}The p99 matters. It stays below 250 ms. ${long}`, latency)).toBe(true);
    expect(matchesSigns(`The p99 matters. ${long} A frame takes 250 ms.`, latency)).toBe(false);
  });
});
