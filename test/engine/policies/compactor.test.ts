import { describe, expect, it } from 'vitest';
import { Compactor } from '../../../extension/engine/policies/compact-history';
import { hierarchicalPolicy } from '../../../extension/engine/policies/hierarchical';
import type { HistoryEntry } from '../../../extension/engine/policies/history';
import { numbered, step } from './history';

function historicalOf(history: readonly HistoryEntry[]): string | undefined {
  return history.find(({ type }) => type === 'historical_summary')?.content;
}

/** The entries of one cycle: one of them, with this action, becomes old. */
function cycle(action: string): HistoryEntry[] {
  return [step(action), ...numbered(8)];
}

describe('policy over many cycles', () => {
  it('keeps the last three historical summaries, oldest first', async () => {
    const compactor = new Compactor(hierarchicalPolicy);
    const seen: (string | undefined)[] = [];
    for (const action of ['first', 'second', 'third', 'fourth', 'fifth']) {
      seen.push(historicalOf((await compactor.compact(cycle(action))).history));
    }
    expect(seen).toEqual([
      undefined,
      '[1 step: first]',
      '[1 step: first] | [1 step: second]',
      '[1 step: first] | [1 step: second] | [1 step: third]',
      '[1 step: second] | [1 step: third] | [1 step: fourth]',
    ]);
  });

  it('gives the same result from a continued history as from its memory', async () => {
    const compactor = new Compactor(hierarchicalPolicy);
    let history: readonly HistoryEntry[] = [];
    for (const action of ['first', 'second', 'third', 'fourth', 'fifth']) {
      const before = compactor.shouldCompact([...history, ...cycle(action)]);
      history = (await compactor.compact([...history, ...cycle(action)])).history;
      expect(before).toBe(action !== 'first');
    }
    const summaries = historicalOf(history)?.split(' | ') ?? [];
    expect(summaries).toHaveLength(3);
    expect(summaries.at(-1)).toContain('fourth');
    expect(history[0]).toMatchObject({ tier: 'old', content: expect.stringContaining('fifth') });
  });

  it('clears the historical summaries on reset', async () => {
    const compactor = new Compactor(hierarchicalPolicy);
    await compactor.compact(cycle('first'));
    compactor.reset();
    expect(historicalOf((await compactor.compact(cycle('second'))).history)).toBeUndefined();
  });

  it('uses its parameters in all cycles', async () => {
    const compactor = new Compactor(hierarchicalPolicy, { parameters: { compress_threshold: 2 } });
    expect([compactor.shouldCompact(numbered(2)), compactor.shouldCompact(numbered(3))]).toEqual([false, true]);
  });
});
