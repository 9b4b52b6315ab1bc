import { describe, expect, it } from 'vitest';
import { type LanguageModel, ModelFailed } from '../../extension/engine/block/language-model';
import { localizable } from '../../extension/engine/wording/localizable-text';
import { CircuitBreaker, watched } from '../../extension/models/circuit-breaker';

const minute = 60_000;

function breakerAt(start = 0) {
  const time = { now: start };
  return { time, breaker: new CircuitBreaker(() => time.now, { failuresToOpen: 3, restMs: 15 * minute }) };
}

function failing(breaker: CircuitBreaker, times: number): void {
  for (let time = 0; time < times; time += 1) breaker.failed(localizable('boom.'));
}

function refusalOf(breaker: CircuitBreaker): string | null {
  const admission = breaker.admit('automatic');
  return admission.kind === 'refused' ? String(admission.message) : null;
}

describe('circuit breaker', () => {
  it('allows automatic runs until three failures in a row', () => {
    const { breaker } = breakerAt();
    failing(breaker, 2);
    expect(breaker.admit('automatic').kind).toBe('admitted');
    failing(breaker, 1);
    expect(refusalOf(breaker)).toBe(
      'The model failed 3 times in a row, so nothing is compacted automatically for 15 more minutes. Compacting by hand tries again, and ends the wait when it works. The last failure: boom.',
    );
  });

  it('always allows a person to try', () => {
    const { breaker } = breakerAt();
    failing(breaker, 3);
    expect(breaker.admit('manual').kind).toBe('admitted');
  });

  it('closes on success, and restarts its count', () => {
    const { breaker } = breakerAt();
    failing(breaker, 3);
    breaker.succeeded();
    failing(breaker, 2);
    expect(breaker.admit('automatic').kind).toBe('admitted');
  });

  it('allows one attempt after its pause, and reopens if that fails', () => {
    const { breaker, time } = breakerAt();
    failing(breaker, 3);
    time.now = 14 * minute;
    expect(refusalOf(breaker)).toContain('for 1 more minute.');
    time.now = 15 * minute;
    expect(breaker.admit('automatic').kind).toBe('admitted');
    failing(breaker, 1);
    expect(breaker.admit('automatic').kind).toBe('refused');
  });

  it('counts a watched model’s failures and successes, but not aborted calls', async () => {
    const { breaker } = breakerAt();
    const outcomes: (() =>
      | never
      | Promise<{ text: string; tokens: { input: number; output: number }; isCut: boolean }>)[] = [
      () => {
        throw new ModelFailed('timeout', 'It took too long.');
      },
      () => {
        throw new Error('The person cancelled.');
      },
      async () => ({ text: 'Fine.', tokens: { input: 1, output: 1 }, isCut: false }),
    ];
    let next = 0;
    const model: LanguageModel = {
      name: 'n',
      model: 'm',
      concurrency: 1,
      complete: async () => outcomes[next]?.() as never,
    };
    const under = watched(model, breaker);
    const complete = () =>
      under.complete({ system: '', user: '' }, { maxTokens: 1, signal: new AbortController().signal });
    for (let time = 0; time < 2; time += 1) await expect(complete()).rejects.toThrow('It took too long.');
    next = 1;
    await expect(complete()).rejects.toThrow('cancelled');
    expect(breaker.admit('automatic').kind).toBe('admitted');
    next = 0;
    await expect(complete()).rejects.toThrow('It took too long.');
    expect(breaker.admit('automatic').kind).toBe('refused');
    next = 2;
    await complete();
    expect(breaker.admit('automatic').kind).toBe('admitted');
  });
});
