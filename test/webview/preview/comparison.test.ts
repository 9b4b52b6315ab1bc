import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Comparison } from '../../../webview/state/preview/comparison.svelte';
import {
  type ComparisonLine,
  comparisonColumns,
  nextSort,
  sortLines,
} from '../../../webview/state/preview/comparison-sort';
import { SessionState } from '../../../webview/state/session.svelte';
import { compaction, comparisonRow, deferred, flush, rows, testHost, view } from '../builders/view';

const strategies = ['a', 'b', 'c'].map((name) => ({
  name,
  group: 'tiers',
  title: name.toUpperCase(),
  description: '',
}));

function open(handlers: Parameters<typeof testHost>[0] = {}) {
  const session = new SessionState();
  session.open(view({ rows: rows('a') }));
  const host = testHost({ 'compare-strategy': async ({ strategy }) => comparisonRow(strategy), ...handlers });
  return { session, host, comparison: new Comparison(session, host.request, () => null) };
}

const resultsOf = (comparison: Comparison) => comparison.lines.map(({ result }) => result?.kind ?? null);

describe('a comparison of strategies', () => {
  it('asks for one strategy after the other, and shows each as it comes', async () => {
    const answers = strategies.map(() => deferred<'compare-strategy'>());
    let asked = 0;
    const { comparison } = open({
      'compare-strategy': () => {
        asked += 1;
        return answers[asked - 1]?.promise ?? Promise.reject(new Error('asked too often'));
      },
    });
    const run = comparison.start(strategies);
    expect([asked, resultsOf(comparison)]).toEqual([1, ['loading', null, null]]);

    answers[0]?.resolve(comparisonRow('a'));
    await flush();
    expect([asked, resultsOf(comparison), comparison.done]).toEqual([2, ['ready', 'loading', null], 1]);

    answers[1]?.resolve(comparisonRow('b'));
    answers[2]?.resolve(comparisonRow('c'));
    await run;
    expect([comparison.phase, comparison.done, comparison.total]).toEqual(['done', 3, 3]);
  });

  it('says a reason once if no strategy could be compared, after all were tried', async () => {
    const reasons = new Map(strategies.map(({ name }) => [name, 'The session is gone']));
    const { comparison } = open({
      'compare-strategy': async ({ strategy }) => {
        expect(comparison.failure).toBeNull();
        throw new Error(reasons.get(strategy));
      },
    });

    await comparison.start(strategies);
    expect(comparison.failure).toBe('The session is gone');

    reasons.set('b', 'no encoder');
    await comparison.start(strategies);
    expect(comparison.failure).toBeNull();
  });

  it('continues after a strategy that fails, and says why it failed', async () => {
    const { comparison } = open({
      'compare-strategy': async ({ strategy }) => {
        if (strategy === 'b') throw new Error('no encoder');
        return comparisonRow(strategy);
      },
    });

    await comparison.start(strategies);

    expect(comparison.lines.map(({ result }) => result)).toMatchObject([
      { kind: 'ready' },
      { kind: 'failed', message: 'no encoder' },
      { kind: 'ready' },
    ]);
  });

  it('keeps what it has when it is stopped, and asks for no more', async () => {
    const second = deferred<'compare-strategy'>();
    const { comparison, host } = open({
      'compare-strategy': async ({ strategy }) => (strategy === 'a' ? comparisonRow('a') : second.promise),
    });
    const run = comparison.start(strategies);
    await flush();

    comparison.stop();
    second.resolve(comparisonRow('b'));
    await run;

    expect([comparison.phase, resultsOf(comparison), host.asked.length]).toEqual(['stopped', ['ready', null, null], 2]);
  });

  it('says that the session has new messages since it began, until it is begun again', async () => {
    const { comparison, session } = open();
    await comparison.start(strategies);
    expect(comparison.staleness).toBeNull();

    session.apply({ revision: 2, splice: { at: 1, removed: 0, rows: rows('b') } });
    expect(comparison.staleness).toBe('growth');

    await comparison.start(strategies);
    expect(comparison.staleness).toBeNull();
  });

  it('adds further strategies, and asks for none twice', async () => {
    const { comparison, host } = open();
    await comparison.start(strategies.slice(0, 2));

    await comparison.add(strategies);

    expect(resultsOf(comparison)).toEqual(['ready', 'ready', 'ready']);
    expect([comparison.phase, host.asked.length]).toEqual(['done', 3]);
  });

  it('distinguishes a compaction by the person from a session that has grown', async () => {
    const { comparison, session } = open();
    await comparison.start(strategies);

    session.apply({
      revision: 2,
      compactions: [compaction(1)],
      splice: { at: 0, removed: 1, rows: rows('block') },
    });
    expect(comparison.staleness).toBe('journal');

    session.apply({ revision: 3, splice: { at: 1, removed: 0, rows: rows('b') } });
    expect(comparison.staleness).toBe('growth');
  });

  it('shows the results of the newest run alone', async () => {
    const slow = deferred<'compare-strategy'>();
    const answers = [slow.promise];
    const { comparison } = open({
      'compare-strategy': async ({ strategy }) => answers.pop() ?? comparisonRow(strategy, { blocks: 7 }),
    });
    const first = comparison.start(strategies);
    await comparison.start(strategies);

    slow.resolve(comparisonRow('a', { blocks: 1 }));
    await first;

    expect(comparison.lines[0]?.result).toMatchObject({ value: { blocks: 7 } });
  });
});

describe('sorting compared strategies', () => {
  const line = (name: string, fields: Parameters<typeof comparisonRow>[1] = {}): ComparisonLine => ({
    strategy: { name, group: 'tiers', title: name, description: '' },
    result: { kind: 'ready', value: comparisonRow(name, fields) },
  });
  const namesOf = (lines: readonly ComparisonLine[]) => lines.map(({ strategy }) => strategy.name).join(' ');
  const lines: readonly ComparisonLine[] = [
    line('idle', { previewId: null }),
    line('small', { tokensAfter: 100, messagesNotWhole: 9, filesUnnamed: 2, durationMs: 5, blocks: 4 }),
    { strategy: { name: 'waiting', group: 'tiers', title: 'waiting', description: '' }, result: null },
    line('large', { tokensAfter: 900, messagesNotWhole: 1, filesUnnamed: 0, durationMs: 80, blocks: 1 }),
  ];

  it.each([
    ['after', 'small large idle waiting'],
    ['saved', 'small large idle waiting'],
    ['messages', 'large small idle waiting'],
    ['files', 'large small idle waiting'],
    ['blocks', 'large small idle waiting'],
    ['time', 'small large idle waiting'],
    ['strategy', 'idle large small waiting'],
  ] as const)('by %s puts the better first, and what would do nothing last', (column, names) => {
    expect(namesOf(sortLines(lines, nextSort(null, column)))).toBe(names);
  });

  it('turns round at the second click, and goes back to the order of the list at the third', () => {
    const once = nextSort(null, 'after');
    const twice = nextSort(once, 'after');

    expect(namesOf(sortLines(lines, twice))).toBe('large small idle waiting');
    expect(sortLines(lines, nextSort(twice, 'after'))).toBe(lines);
  });

  it('starts with the first direction of another column', () => {
    expect(nextSort({ column: 'after', direction: 'descending' }, 'saved')).toEqual({
      column: 'saved',
      direction: 'descending',
    });
  });

  it('never loses a strategy, whatever the column and the numbers', () => {
    const column = fc.constantFrom(...comparisonColumns.map(({ id }) => id));
    const fields = fc.record({ tokensAfter: fc.nat(2_000), namesLost: fc.nat(5), blocks: fc.nat(5) });
    fc.assert(
      fc.property(fc.array(fields, { maxLength: 20 }), column, (all, by) => {
        const some = all.map((each, index) => line(`s${index}`, each));
        const sorted = sortLines(some, nextSort(null, by));
        expect(new Set(sorted)).toEqual(new Set(some));
      }),
    );
  });

  it('sorts by the share saved, which is 0 of an empty context', () => {
    const shares = [line('empty', { tokensBefore: 0, tokensAfter: 0 }), line('three quarters', { tokensAfter: 250 })];
    expect(namesOf(sortLines(shares, nextSort(null, 'saved')))).toBe('three quarters empty');
  });
});
