import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replacedMessages } from '../../../extension/engine/block/plan';
import { segmentsOf } from '../../../extension/engine/conversation/turns';
import { strategyChoices } from '../../../extension/engine/run/prepare/registry';
import { conversations } from '../../builders/arbitrary';
import { assistant, long, talk, user } from '../../builders/conversation';
import { compact, contextOf } from '../../builders/run';

const turns = talk(
  Array.from({ length: 10 }, (_, at) => [user(`step ${at}`), assistant(long(`Step ${at} is done.`, 60))]).flat(),
);
const openers = contextOf(turns)
  .messages.filter(({ kind }) => kind === 'user')
  .map(({ key }) => key);
const turnOf = (at: number) => openers[at] ?? '';

async function compacted(range: { from: string | null; upTo: string | null }, strategy = 'checkpoint') {
  const { plans } = await compact(turns, { strategy, range });
  const taken = new Set(plans.flatMap(replacedMessages).map(({ key }) => key));
  return openers.flatMap((key, at) => (taken.has(key) ? [at] : []));
}

describe('range chosen by a person', () => {
  it('keeps the turn that a range ends before, and everything after it', async () => {
    expect(await compacted({ from: null, upTo: turnOf(3) })).toEqual([0, 1, 2]);
  });

  it('keeps everything before the turn that a range begins with', async () => {
    const all = await compacted({ from: null, upTo: null });
    expect(await compacted({ from: turnOf(2), upTo: null })).toEqual(all.filter((at) => at >= 2));
  });

  it('a range chosen by a person never extends beyond the age line', async () => {
    const all = await compacted({ from: null, upTo: null });
    expect(all.length).toBeLessThan(10);
    expect(await compacted({ from: null, upTo: turnOf(9) })).toEqual(all);
  });

  it('reports if there is nothing to do in it', async () => {
    const { notes } = await compact(turns, { strategy: 'checkpoint', range: { from: turnOf(9), upTo: null } });
    expect(notes.map(String)).toEqual([
      'Checkpoint: there is nothing of that kind in the chosen range that it may touch.',
    ]);
  });

  it('rejects a range that begins with a message that is gone', async () => {
    await expect(compacted({ from: 'gone', upTo: null })).rejects.toThrow('is no longer in the context');
  });

  it.each(strategyChoices().map(({ name }) => name))(
    'is summarised once, not again and again, by %s',
    async (strategy) => {
      const range = { from: null, upTo: turnOf(6) };
      const { records } = await compact(turns, { strategy, range, parameters: {} });
      const small = await compact(turns, { strategy, range });
      for (const run of [records, small.records]) {
        const own = new Set(run.map(({ seq }) => seq));
        const taken = run.flatMap(({ swallowed }) => swallowed);
        const isLeveled = ['hierarchical-summary', 'ladder'].includes(strategy);
        if (!isLeveled) expect(taken.filter((seq) => own.has(seq))).toEqual([]);
      }
    },
  );

  it('works with every strategy', () =>
    fc.assert(
      fc.asyncProperty(
        conversations,
        fc.constantFrom(...strategyChoices().map(({ name }) => name)),
        fc.tuple(fc.nat(), fc.nat()),
        async (conversation, strategy, [a, b]) => {
          const { messages } = contextOf(conversation);
          const starts = segmentsOf(messages).map(({ start }) => start);
          const [first = 0, last = 0] = [a, b].map((at) => starts[at % starts.length] ?? 0).toSorted((x, y) => x - y);
          const range = { from: messages[first]?.key ?? null, upTo: messages[last]?.key ?? null };
          const { records } = await compact(conversation, { strategy, range });
          const within = new Set(messages.slice(first, last).flatMap(({ entryIds }) => entryIds));
          for (const id of records.flatMap(({ entryIds }) => entryIds)) expect(within.has(id)).toBe(true);
        },
      ),
      { numRuns: 200 },
    ));
});
