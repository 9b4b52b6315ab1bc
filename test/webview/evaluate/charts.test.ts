import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fullLineUp } from '../../../extension/evaluation/measure/contenders/line-up';
import { reportOf } from '../../../extension/evaluation/measure/make-report';
import { contenderKey } from '../../../extension/evaluation/measure/results';
import { contenderViews } from '../../../webview/state/evaluate/contenders';
import { lineHeight, placeLabels, spreadLabels } from '../../../webview/state/evaluate/labels';
import { Cells, efficiencyMarks, nextMark, survivalMarks } from '../../../webview/state/evaluate/plot';
import { keptScale, shareScale } from '../../../webview/state/evaluate/scale';
import { evaluationResults } from '../../builders/evaluation';

const report = reportOf(evaluationResults({ tasks: 2, seeds: [1], probedAfter: [1, 2, 3] }));
const cells = new Cells(report);
const contenders = contenderViews(report.contenders);
const nothingLeftOut = { boundaries: 12, uncompacted: 0, unusable: 0 };

describe('how contenders are drawn', () => {
  it('tells every strategy apart by colour and shape, and every core by the filling', () => {
    const views = contenderViews(fullLineUp().map((id) => ({ ...id, ...nothingLeftOut, key: contenderKey(id) })));
    const looks = views.map(({ look }) => `${look.hue} ${look.shape} ${look.core}`);
    expect(new Set(looks).size).toBe(views.length);
  });

  it('draws a strategy alike with and without a core', () => {
    const views = contenderViews([
      { key: 'naive', strategy: 'naive', core: 'none', ...nothingLeftOut },
      { key: 'naive+pinned', strategy: 'naive', core: 'pinned', ...nothingLeftOut },
    ]);
    expect(views.map(({ look: { hue, shape } }) => [hue, shape])).toEqual([
      [0, 'circle'],
      [0, 'circle'],
    ]);
  });
});

describe('the scales of the charts', () => {
  it('span 0 to 1 for shares, whatever was measured', () => {
    const y = shareScale([200, 0]);
    expect([y(0), y(0.5), y(1)]).toEqual([200, 100, 0]);
  });

  it('keep every share of tokens within the picture, larger ones further right', () => {
    const shares = fc.array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(shares, (values) => {
        const x = keptScale(values, [0, 100]);
        const places = values.toSorted((a, b) => a - b).map(x);
        expect(places).toEqual(places.toSorted((a, b) => a - b));
        for (const place of places) expect(place >= -1e-6 && place <= 100 + 1e-6).toBe(true);
      }),
    );
  });
});

describe('names beside lines', () => {
  const spots = fc.array(fc.integer({ min: 0, max: 200 }), { maxLength: 15 });

  it('never overlap, keep the order of their lines, and stay within the picture', () => {
    fc.assert(
      fc.property(spots, (heights) => {
        const named = heights.map((y, index) => ({ id: String(index), x: 0, y }));
        const spread = spreadLabels(named, 0, 200)?.toSorted((a, b) => a.y - b.y) ?? [];
        expect(spread).toHaveLength(heights.length);
        for (const [index, { y }] of spread.entries()) {
          expect(y >= 0 && y <= 200).toBe(true);
          const above = spread[index - 1];
          if (above) expect(y - above.y).toBeGreaterThanOrEqual(lineHeight);
        }
        const order = spread.map(({ id }) => heights[Number(id)] ?? 0);
        expect(order).toEqual(order.toSorted((a, b) => a - b));
      }),
    );
  });

  it('are left out if there is no room for all of them', () => {
    const crowd = Array.from({ length: 20 }, (_, index) => ({ id: String(index), x: 0, y: index }));
    expect(spreadLabels(crowd, 0, 100)).toBeNull();
  });

  it('take the free side of their mark, or are left out', () => {
    const room = { left: 0, right: 200, top: 0, bottom: 200 };
    const placed = placeLabels(
      [
        { id: 'alone', x: 20, y: 100 },
        { id: 'at the edge', x: 195, y: 20 },
      ],
      room,
    );
    expect(placed.map(({ id, anchor }) => [id, anchor])).toEqual([
      ['alone', 'start'],
      ['at the edge', 'end'],
    ]);
    expect(placeLabels([{ id: 'alone', x: 5, y: 5 }], { ...room, right: 10 })).toEqual([]);
  });
});

describe('the marks of the charts', () => {
  const marks = survivalMarks(cells, contenders, report.compactions, 'goal-survival');

  it('have a value with its interval for each contender and compaction', () => {
    expect(marks).toHaveLength(contenders.length * 3);
    for (const { y } of marks) expect(y.low <= y.mean && y.mean <= y.high && y.count === 2).toBe(true);
  });

  it('are walked left and right along the line of a contender', () => {
    const start = marks.find(({ id }) => id === 'naive 2');
    expect(start && nextMark('ArrowRight', marks, start)?.id).toBe('naive 3');
    expect(start && nextMark('ArrowLeft', marks, start)?.id).toBe('naive 1');
    const end = marks.find(({ id }) => id === 'naive 3');
    expect(end && nextMark('ArrowRight', marks, end)).toBeNull();
  });

  it('are all reached by walking up from the lowest one of a compaction', () => {
    const column = marks.filter(({ compaction }) => compaction === 2).toSorted((a, b) => a.at.y - b.at.y);
    let at = column[0];
    const walked = [];
    while (at) {
      walked.push(at.id);
      at = nextMark('ArrowUp', marks, at) ?? undefined;
    }
    expect(walked).toEqual(column.map(({ id }) => id));
  });

  it('of the scatter are walked from left to right', () => {
    const scattered = efficiencyMarks(cells, contenders, 'goal-survival');
    const [first, second] = scattered.toSorted((a, b) => a.at.x - b.at.x);
    expect(first && nextMark('ArrowRight', scattered, first)?.id).toBe(second?.id);
    expect(first && nextMark('Tab', scattered, first)).toBeNull();
  });
});
