import { describe, expect, it } from 'vitest';
import { compactHistory } from '../../../extension/engine/policies/compact-history';
import type { HistoryEntry } from '../../../extension/engine/policies/history';
import { type CompactionPolicy, emptyMemory } from '../../../extension/engine/policies/policy';
import { NameTaken, registerPolicy, strategyChoices } from '../../../extension/engine/run/prepare/registry';
import { assistant, call, long, result, talk, user } from '../../builders/conversation';
import { compact } from '../../builders/run';
import { failure, step } from './history';

/**
 * Tests that a custom policy is one object and that no other file changes (docs/specification/policies.md,
 * `policies.custom`).
 */

const defaults = { max_entries: 8, preserve_errors: true, preserve_high_reward_threshold: 0.7, max_preserved: 4 };

function isImportant({ error, reward = 0 }: HistoryEntry, parameters: typeof defaults): boolean {
  return (parameters.preserve_errors && Boolean(error)) || reward >= parameters.preserve_high_reward_threshold;
}

const importanceWeighted: CompactionPolicy<typeof defaults> = {
  name: 'importance_weighted',
  title: 'Importance-weighted',
  description: 'Preserve high-importance entries, summarize routine ones',
  defaults,
  shouldCompact: (history, { max_entries }) => history.length > max_entries,
  tiers(history, parameters) {
    const important = history.filter((entry) => isImportant(entry, parameters));
    const preserved = new Set(important.slice(-parameters.max_preserved));
    return history.map((entry) => {
      if (preserved.has(entry)) return 'stays';
      return isImportant(entry, parameters) ? { tier: 'surplus' } : 'summarized';
    });
  },
  summarize: ({ name, entries }) => (name === 'surplus' ? null : `Summarized ${entries.length} routine steps`),
};

describe('custom policy', () => {
  const good = { ...step('code', 'solved'), reward: 0.7 };
  const routine = ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((output) => ({ ...step('code', output), reward: 0.6 }));

  it('keeps what is important and summarises the rest', async () => {
    const failed = failure('code', 'NameError');
    const history = [routine[0], failed, ...routine.slice(1), good].flatMap((entry) => entry ?? []);
    expect(importanceWeighted.shouldCompact(history.slice(1), defaults, emptyMemory)).toBe(false);
    expect(importanceWeighted.shouldCompact(history, defaults, emptyMemory)).toBe(true);
    expect(await compactHistory(importanceWeighted, history)).toEqual({
      history: [{ type: 'summary', content: 'Summarized 7 routine steps', entries_summarized: 7 }, failed, good],
      summary: 'Summarized 7 routine steps',
      memory: emptyMemory,
    });
  });

  it('limits the number of important entries, and reports that older ones are gone', async () => {
    const failures = [1, 2, 3, 4, 5].map((number) => failure('code', `error ${number}`));
    const { history, summary } = await compactHistory(importanceWeighted, [...failures, ...routine]);
    expect(history.slice(1)).toEqual(failures.slice(1));
    expect(summary).toBe('[1 earlier entry discarded] | Summarized 7 routine steps');
  });

  it('a custom policy becomes a strategy when registered, until it is removed', async () => {
    const isListed = () => strategyChoices().some(({ name }) => name === 'importance-weighted');
    const remove = registerPolicy(importanceWeighted);
    try {
      expect(isListed()).toBe(true);
      expect(() => registerPolicy(importanceWeighted)).toThrow(NameTaken);
      const { records } = await compact(conversation(), { strategy: 'importance-weighted' });
      expect(records.map(({ text, summaryType, entryIds }) => [text, summaryType, entryIds])).toEqual([
        ['[SUMMARIZED]\nSummarized 6 routine steps', 'importance_weighted', ids(1, 8)],
        ['[SUMMARIZED]\nSummarized 3 routine steps', 'importance_weighted', ids(13, 16)],
      ]);
      expect(records[0]?.parameters).toEqual(defaults);
    } finally {
      remove();
    }
    expect(isListed()).toBe(false);
    await expect(compact(conversation(), { strategy: 'importance-weighted' })).rejects.toThrow('importance-weighted');
  });
});

/** Five turns of four messages. Something fails in the third, and the fifth is the live one. */
function conversation() {
  const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon'];
  return talk(
    names.flatMap((name) => [
      user(`Look at ${name}.`),
      call(name, 'read'),
      result(name, long(`The file of ${name}.`), name === 'gamma'),
      assistant(`I saw ${name}.`),
    ]),
  );
}

function ids(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => `e${first + index}`);
}
