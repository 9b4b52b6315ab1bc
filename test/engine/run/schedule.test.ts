import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideSchedule, expectedRest, type Outlook } from '../../../extension/engine/run/automation/schedule';
import { scheduleSentence } from '../../../extension/engine/run/automation/schedule-words';

const outlook: Outlook = {
  contextTokens: 150_000,
  fixedTokens: 20_000,
  growth: 1000,
  contextWindow: 200_000,
  requests: 40,
  isWarm: true,
  prices: { read: 0.1, write: 1.25 },
  writing: 0,
};

describe('a schedule by cost', () => {
  it('waits while the cache has the prompt and the expected requests do not pay for writing what stays', () => {
    const waits = decideSchedule(outlook, [100_000]);
    expect(waits).toMatchObject({ kind: 'dearer', requests: expectedRest(40), untilCold: true });
    expect(String(scheduleSentence(waits))).toMatch(
      /waits until the provider no longer has this context in its cache\. Before that/,
    );
  });

  it('compacts as soon as the cache is cold, because the whole prompt would be written anyway', () => {
    const starts = decideSchedule({ ...outlook, isWarm: false }, [100_000]);
    expect(starts).toMatchObject({ kind: 'pays', targetTokens: 100_000 });
    expect(String(scheduleSentence(starts))).toMatch(
      /starts before the next message: .* should save what \d\d,000 input/,
    );
  });

  it('chooses the size that costs least', () => {
    expect(decideSchedule(outlook, [100_000, 50_000, 25_000])).toMatchObject({ kind: 'pays', targetTokens: 25_000 });
  });

  it('counts on what clearing output leaves and on the prompt that the cache keeps then', () => {
    const cleared = { tokens: 60_000, keptTokens: 20_000 };
    expect(decideSchedule({ ...outlook, cleared }, [100_000])).toMatchObject({ kind: 'dearer' });
    const kept = { tokens: 60_000, keptTokens: 50_000 };
    expect(decideSchedule({ ...outlook, cleared: kept }, [100_000])).toMatchObject({
      kind: 'pays',
      targetTokens: 100_000,
    });
  });

  it('does not count on clearing that leaves more than the target', () => {
    const cleared = { tokens: 120_000, keptTokens: 110_000 };
    expect(decideSchedule({ ...outlook, cleared }, [100_000])).toEqual(decideSchedule(outlook, [100_000]));
  });

  it('counts what a model costs for writing', () => {
    const cold = { ...outlook, isWarm: false };
    const waits = decideSchedule({ ...cold, writing: 5 }, [100_000]);
    expect(waits).toMatchObject({ kind: 'dearer', untilCold: false });
    expect(String(scheduleSentence(waits))).toMatch(
      /waits: over the next \d+ requests it would cost more than it saves/,
    );
  });

  it('reports that nothing would be compacted', () => {
    expect(decideSchedule(outlook, [150_000, 149_000])).toEqual({ kind: 'nothing-to-take' });
    expect(decideSchedule(outlook, [])).toEqual({ kind: 'nothing-to-take' });
  });

  it('compacts before the window is full if a forced compaction is expected anyway', () => {
    const full = { ...outlook, contextTokens: 188_000, growth: 3000 };
    const { lost } = { lost: 0, ...decideSchedule(full, [100_000]) };
    const { lost: far } = { lost: 0, ...decideSchedule({ ...full, contextWindow: 1_000_000 }, [100_000]) };
    expect(lost).toBeLessThan(far);
  });

  it('never costs more than no compaction over the expected requests', () => {
    const tokens = fc.integer({ min: 0, max: 400_000 });
    const any = fc.record({ contextTokens: tokens, fixedTokens: tokens, growth: fc.nat(20_000), isWarm: fc.boolean() });
    fc.assert(
      fc.property(any, fc.array(tokens, { maxLength: 4 }), (changes, sizes) => {
        const decision = decideSchedule({ ...outlook, ...changes }, sizes);
        if (decision.kind === 'pays') {
          expect(decision.saved).toBeGreaterThanOrEqual(0);
          expect(decision.targetTokens).toBeLessThan(changes.contextTokens);
        }
      }),
    );
  });

  it('expects more of a session that had more requests, and always the next one', () => {
    const rests = [0, 10, 100, 1000].map((requests) => expectedRest(requests));
    expect(rests).toEqual([...rests].sort((one, other) => one - other));
    expect(rests.at(-1)).toBeGreaterThan(rests[0] ?? 0);
    expect(expectedRest(0, 0.999)).toBe(1);
  });
});
