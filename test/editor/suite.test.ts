import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Example, outcomeOf, runExamples, verdict } from './suite.ts';

describe('Examples that run until they have passed', () => {
  afterEach(() => vi.restoreAllMocks());

  it('are distinguished: passed, passed at a later attempt with the failure before it, and failed', async () => {
    const printed = vi.spyOn(console, 'log').mockReturnValue();
    const attempts = new Map<string, number>();
    const example = (sentence: string, failures: number): Example<void> => ({
      sentence,
      show: () => {
        const attempt = (attempts.get(sentence) ?? 0) + 1;
        attempts.set(sentence, attempt);
        if (attempt <= failures) throw new Error(`attempt ${attempt} of "${sentence}"`);
      },
    });
    const examples = [example('sound', 0), example('stumbles', 1), example('broken', 2)];

    const tally = await runExamples(examples, (one) => outcomeOf(() => one.show(), 1000), { attempts: 2 });

    expect(tally).toEqual({ passed: 2, flaky: 1, failed: 1, failures: ['broken'] });
    expect(verdict(tally)).toBe('2 passed (1 of them at a later attempt), 1 failed\n  FAILED  broken');
    const lines = printed.mock.calls.map(([line]) =>
      String(line)
        .split(' at ')[0]
        ?.replace(/\(.*s\)/, ''),
    );
    expect(lines.map((line) => line?.trim().split('\n')[0]?.trim())).toEqual([
      'passed  sound',
      'retried  stumbles',
      'retried  broken',
      'passed  stumbles',
      'FAILED  broken',
    ]);
    expect(printed.mock.calls[1]?.[0]).toContain('attempt 1 of "stumbles"');
  });

  it('run side by side at first, and alone when they run again', async () => {
    vi.spyOn(console, 'log').mockReturnValue();
    const failedOnce = new Set<string>();
    let running = 0;
    const beside: number[] = [];
    const examples = ['one', 'two', 'three'].map(
      (sentence): Example<void> => ({
        sentence,
        show: async () => {
          running += 1;
          await new Promise((resolve) => setImmediate(resolve));
          beside.push(running);
          running -= 1;
          if (failedOnce.has(sentence)) return;
          failedOnce.add(sentence);
          throw new Error('not yet');
        },
      }),
    );

    const run = (one: Example<void>) => outcomeOf(() => one.show(), 1000);
    const tally = await runExamples(examples, run, { concurrency: 3, attempts: 2 });

    expect(tally).toMatchObject({ passed: 3, flaky: 3, failed: 0 });
    expect(Math.max(...beside.slice(0, 3))).toBe(3);
    expect(beside.slice(3)).toEqual([1, 1, 1]);
  });
});
