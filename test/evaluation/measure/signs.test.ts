import { describe, expect, it } from 'vitest';
import { tells } from '../../../extension/evaluation/measure/tasks/signs';

const latency = [
  ['p99', 'latency'],
  ['250 ms', '250ms'],
];

describe('signs', () => {
  it('tell in any case, with any of their alternatives, in one sentence or line', () => {
    expect(tells('Keep the P99 under 250ms.', latency)).toBe(true);
    expect(tells('- latency: at most 250 ms', latency)).toBe(true);
  });

  it('do not tell where one group is missing, or stands somewhere else', () => {
    expect(tells('Keep the p99 low.', latency)).toBe(false);
    expect(tells('The p99 matters.\nA frame takes 250 ms.', latency)).toBe(false);
  });

  it('begin and end where words do', () => {
    expect(tells('It takes 1250 ms at p99.', latency)).toBe(false);
    expect(tells('The chart is ready.', [['art']])).toBe(false);
    expect(tells("It's the team’s (art).", [['art'], ["team's"]])).toBe(true);
  });

  it('look at two sentences at a time in a long line', () => {
    const long = 'We talked about many things that do not matter here at all. '.repeat(6);
    expect(tells(`${long}The p99 matters. It stays below 250 ms. ${long}`, latency)).toBe(true);
    expect(tells(`The p99 matters. ${long} A frame takes 250 ms.`, latency)).toBe(false);
  });
});
