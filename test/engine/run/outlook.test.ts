import { describe, expect, it } from 'vitest';
import type { Entry, Usage } from '../../../extension/engine/conversation/entry';
import { foldJournal } from '../../../extension/engine/journal/journal-state';
import { outlookOf } from '../../../extension/engine/run/automation/outlook';
import { assistant, talk, toolTurn, user } from '../../builders/conversation';
import { compact, contextOf, emptyState } from '../../builders/run';

const noon = Date.parse('2026-05-01T12:00:00.000Z');
const at = (minutes: number) => new Date(noon + minutes * 60_000).toISOString();

const usage: Usage = { input: 0, output: 5, cacheRead: 20_000, cacheWrite: 0 };

function answered(entry: Entry): Entry {
  return { ...entry, model: 'claude-opus-4-8', timestamp: at(0) };
}

function talked(prompts: readonly number[], reply: Partial<Entry> = {}) {
  const { entries, ...rest } = talk(
    prompts.flatMap((tokens) => [user('Go on.'), assistant('Done.', { ...usage, cacheRead: tokens })]),
  );
  const changed = (entry: Entry) => (entry.role === 'assistant' ? { ...answered(entry), ...reply } : entry);
  return { ...rest, entries: entries.map(changed) };
}

function outlook(prompts: readonly number[], minutes = 1, reply: Partial<Entry> = {}, asksModel = false) {
  const conversation = talked(prompts, reply);
  const context = contextOf(conversation, emptyState);
  return outlookOf({ conversation, state: emptyState, context, contextWindow: 200_000, now: at(minutes), asksModel });
}

describe('the outlook of a conversation', () => {
  it('gives the prices, the requests so far and the growth without compactions', () => {
    expect(outlook([20_000, 26_000, 10_000, 13_000])).toMatchObject({
      requests: 4,
      growth: 3000,
      prices: { read: 0.1, write: 1.25 },
      writing: 0,
    });
  });

  it('assumes the prompt in the cache as long as the provider may store it', () => {
    expect([1, 59, 61].map((minutes) => outlook([20_000], minutes)?.isWarm)).toEqual([true, true, false]);
  });

  it('the outlook of a conversation is unknown without prices, times or replies', () => {
    expect(outlook([20_000], 1, { model: 'a-model-of-nobody' })).toBeNull();
    expect(outlook([20_000], 1, { timestamp: null })).toBeNull();
    expect(outlook([])).toBeNull();
  });

  it('estimates the cost of writing from the newest compaction, and before the first from all that is replaced', async () => {
    expect(outlook([20_000], 1, {}, true)?.writing).toBe(1);
    const worked = talk(['a', 'b', 'c', 'd', 'e', 'f'].flatMap(toolTurn), [
      user('And now?'),
      assistant('This.', usage),
    ]);
    const conversation = { ...worked, entries: worked.entries.map(answered) };
    const parameters = { checkpoint: { reserveTokens: 1000, keepRecentTokens: 300 } };
    const run = await compact(conversation, { strategy: 'checkpoint', parameters });
    const records = run.records.map((record) => ({
      ...record,
      tokensBefore: 2000,
      tokensAfter: 1000,
      tokensSpent: { input: 500, output: 100 },
    }));
    expect(records).toHaveLength(1);
    const state = foldJournal(records);
    const context = contextOf(conversation, state);
    const around = { conversation, state, context, contextWindow: 200_000, now: at(1), asksModel: true };
    expect(outlookOf(around)?.writing).toBe(1);
    expect(outlookOf({ ...around, asksModel: false })?.writing).toBe(0);
  });

  it('reads each entry once while a conversation grows, and again after a reply was replaced', () => {
    const { entries: all, ...rest } = talked([20_000, 26_000, 10_000, 13_000]);
    let reads = 0;
    const entries = all.map((entry) => ({
      ...entry,
      get usage() {
        reads += 1;
        return entry.usage;
      },
    })) as Entry[];
    const context = contextOf({ ...rest, entries: all }, emptyState);
    const of = (known: readonly Entry[]) =>
      outlookOf({
        ...{ conversation: { entries: known }, state: emptyState, context, contextWindow: 200_000 },
        ...{ now: at(1), asksModel: false },
      });
    const grown = all.map((_, index) => of(entries.slice(0, index + 1)));
    const once = reads;
    expect(grown).toEqual(all.map((_, index) => of(all.slice(0, index + 1))));
    of(entries);
    expect(reads).toBe(once);
    expect(once).toBeLessThanOrEqual(2 * all.length);
    const replaced = [...entries.slice(0, -1), { ...all.at(-1), usage: { ...usage, cacheRead: 50_000 } } as Entry];
    expect(of(replaced)).toEqual(of([...replaced]));
    expect(of(replaced)).toMatchObject({ requests: 4, growth: 46_000 / 3 });
  });
});
