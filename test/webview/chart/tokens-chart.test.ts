import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HistoryMark, HistoryView } from '../../../extension/protocol/view';
import { chartMarks, markAt, markOf } from '../../../webview/state/chart/chart-marks';
import { chartSummary, driftPercent, driftSentence, markReadout } from '../../../webview/state/chart/chart-text';
import { chartBounds, chartTable, highestTokens, turnTicks } from '../../../webview/state/chart/tokens-chart';
import { compaction } from '../builders/view';

const strategies = [{ name: 'tool-calls', group: 'tiers', title: 'Tool calls', description: '' }];

const point = (at: number, tokens: number, turn = 1) => ({ at, tokens, turn, time: null });

function mark(id: string, at: number, fields: Partial<HistoryMark> = {}): HistoryMark {
  return { id, at, before: 100, after: 40, tag: '[SUMMARIZED]', active: true, drift: null, ...fields };
}

const left = (whole: number, shortened: number, gone: number) => ({ drift: { whole, shortened, gone } });

describe('the line of tokens', () => {
  it('falls where something was compacted, and the drift with it', () => {
    const table = chartTable({
      points: [point(0, 10), point(4, 100), point(5, 60, 2)],
      marks: [mark('run:1', 4, left(3, 1, 0))],
      messages: 4,
      moments: [],
    });

    expect(table.at).toEqual([0, 4, 4, 5]);
    expect(table.tokens).toEqual([10, 100, 40, 60]);
    expect(table.kept).toEqual([100, 100, 75, 75]);
    expect(table.held).toEqual([100, 100, 100, 100]);
    expect(table.turns).toEqual([1, 1, 1, 2]);
  });

  it('does not fall if the compaction was undone', () => {
    const table = chartTable({
      points: [point(0, 10), point(4, 100), point(5, 120)],
      marks: [mark('run:1', 4, { active: false })],
      messages: 0,
      moments: [],
    });

    expect(table.tokens).toEqual([10, 100, 120]);
    expect(table.kept).toEqual([null, null, null]);
  });

  it('never goes back, whatever the points and marks', () => {
    const points = fc
      .array(fc.nat(200), { minLength: 1 })
      .map((places) => places.sort((a, b) => a - b).map((at) => point(at, at)));
    const marks = fc.array(fc.record({ at: fc.nat(200), active: fc.boolean() }));
    fc.assert(
      fc.property(points, marks, (given, places) => {
        const all = places.map(({ at, active }, index) => mark(`run:${index}`, at, { active }));
        const { at, tokens } = chartTable({ points: given, marks: all, moments: [], messages: 0 });
        expect(at).toEqual([...at].sort((a, b) => a - b));
        expect(tokens).toHaveLength(at.length);
        expect(tokens.filter((size) => size === 40).length).toBeGreaterThanOrEqual(
          all.filter(({ active }) => active).length,
        );
      }),
    );
  });

  it.each([
    ['both lines when they are near', 150_000, 184_000, 200_000, [184_000, 200_000]],
    ['no window that is far above', 100_000, 184_000, 200_000, [184_000, null]],
    ['neither over a short session', 5_000, 184_000, 200_000, [null, null]],
    ['no line where nothing starts by itself', 150_000, null, 200_000, [null, 200_000]],
  ])('shows %s', (_, highest, startsAt, window, lines) => {
    const bounds = chartBounds(highest, startsAt, window);

    expect([bounds.autoCompact, bounds.window]).toEqual(lines);
    expect(bounds.top).toBeGreaterThan(Math.max(highest, ...lines.map((line) => line ?? 0)));
  });

  it('reaches as high as the context was before it was compacted', () => {
    expect(
      highestTokens({ points: [point(0, 10)], marks: [mark('a', 0, { before: 90 })], messages: 0, moments: [] }),
    ).toBe(90);
  });

  it('numbers turns only if there is room for the number', () => {
    const table = chartTable({
      points: [point(0, 1, 1), point(10, 1, 2), point(12, 1, 3), point(90, 1, 4), point(100, 1, 5)],
      marks: [],
      messages: 0,
      moments: [],
    });

    expect(turnTicks(table, 4)).toEqual([
      { at: 0, turn: 1 },
      { at: 90, turn: 4 },
    ]);
    expect(turnTicks(table, 10).map(({ turn }) => turn)).toEqual([1, 2, 4, 5]);
  });
});

describe('compactions on the chart', () => {
  const list = [
    compaction(0, { id: 'agent:c1', by: 'agent', seq: null, tags: ['[SUMMARY]'] }),
    compaction(1, { tags: ['[GOAL BATCH]'], strategies: ['goal-batch'] }),
    compaction(2),
    compaction(3, { excludes: true }),
  ];
  const marks = chartMarks([mark('run:3', 9), mark('agent:c1', 2), mark('run:2', 5)], list, strategies);

  it('are in the order of the session, each with its kind', () => {
    expect(marks.map(({ label, kind }) => [label, kind])).toEqual([
      ['by the agent', 'agent'],
      ['#2 Tool calls', 'summary'],
      ['#3 Excluded', 'excluded'],
    ]);
  });

  it('are Strata’s at the start of a fork, though the agent records them as its own', () => {
    const fork = compaction(0, { id: 'agent:f1', by: 'agent', seq: null, tags: ['Fork'], inFork: true });
    expect(chartMarks([mark('agent:f1', 3)], [fork], strategies).map(({ kind }) => kind)).toEqual(['fork']);
  });

  it('have the ids of the list', () => {
    expect(markOf('run:2', marks)?.mark.id).toBe('run:2');
    expect(markOf('agent:c1', marks)?.mark.id).toBe('agent:c1');
    expect([markOf('run:9', marks), markOf(null, marks)]).toEqual([null, null]);
  });

  it('are selected by a click nearby, the nearest of several', () => {
    const places = [
      { id: 'a', x: 10, y: 10 },
      { id: 'b', x: 18, y: 50 },
    ];

    expect(markAt(places, 15, 45)?.id).toBe('b');
    expect(markAt(places, 60, 45)).toBeNull();
  });
});

describe('the words under the chart', () => {
  const history = (...marks: readonly HistoryMark[]): HistoryView => ({
    points: [point(0, 2_000), point(9, 84_000)],
    marks,
    messages: 7,
    moments: [],
  });

  it.each([
    ['After 1 compaction, your first 7 messages are there word for word.', [mark('a', 1, left(7, 0, 0))]],
    [
      'After 2 compactions, 4 of your first 7 messages are there word for word, 2 shortened, 1 not word for word.',
      [mark('a', 1, left(7, 0, 0)), mark('b', 2, left(4, 2, 1))],
    ],
    [
      'After 1 compaction, 1 of your first 7 messages is there word for word, 6 not word for word.',
      [mark('a', 1, left(1, 0, 6)), mark('b', 2, { active: false, ...left(0, 0, 7) })],
    ],
    [null, []],
    [null, [mark('a', 1)]],
  ])('the words under the chart say %s', (said, marks) => {
    expect(driftSentence(history(...marks))).toBe(said);
  });

  it('say in percent how many of the first messages are left, also shortened', () => {
    expect(driftPercent(history(mark('a', 1, left(4, 2, 1))))).toBe(86);
    expect(driftPercent(history(mark('a', 1)))).toBeNull();
  });

  it('sum the chart up for those who do not see it', () => {
    expect(chartSummary(history(mark('a', 1, { before: 90_000 }), mark('b', 2, { active: false })))).toBe(
      'Tokens of the context over the session: 84k now, 90k at most, 1 compaction, 1 undone.',
    );
  });

  it('say what one compaction did', () => {
    const [shown] = chartMarks([mark('run:2', 5, left(4, 2, 1))], [compaction(2)], strategies);
    const [undone] = chartMarks([mark('run:2', 5, { active: false })], [compaction(2, { active: false })], []);

    expect(shown && markReadout(shown, 7)).toBe(
      '#2 Tool calls: 100 → 40 tokens; 4 of your first 7 messages are there word for word, 2 shortened, 1 not word for word',
    );
    expect(undone && markReadout(undone, 7)).toBe('#2 tool-calls: undone');
  });
});
