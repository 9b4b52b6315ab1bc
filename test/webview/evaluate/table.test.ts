import { describe, expect, it } from 'vitest';
import { reportOf } from '../../../extension/evaluation/measure/make-report';
import { baseline } from '../../../extension/evaluation/measure/report';
import { contenderViews } from '../../../webview/state/evaluate/contenders';
import { formatDifference, formatEstimate, formatInterval, formatValue } from '../../../webview/state/evaluate/metrics';
import { Cells } from '../../../webview/state/evaluate/plot';
import { cautions, respondentWords } from '../../../webview/state/evaluate/report-text';
import { differenceSentence, nextTableSort, sortTable, tableLines } from '../../../webview/state/evaluate/table';
import { evaluationResults } from '../../builders/evaluation';

const contenderIds = [
  { strategy: 'checkpoint', core: 'none' },
  { strategy: 'checkpoint', core: 'pinned' },
  { strategy: 'naive', core: 'none' },
  { strategy: 'naive', core: 'pinned' },
] as const;
const report = reportOf(evaluationResults({ contenders: contenderIds }));
const cells = new Cells(report);
const contenders = contenderViews(report.contenders);

function linesFor(opponent: 'baseline' | 'without-core') {
  return tableLines(cells, report, contenders, ['goal-survival', 'rating'], opponent);
}

describe('the words of metrics', () => {
  it('write a number with its interval and its basis', () => {
    const estimate = { mean: 0.821, low: 0.71, high: 0.9, count: 48, tasks: 12 };
    expect(formatEstimate('goal-survival', estimate)).toBe('82 % (71–90 %; 48 values, 12 tasks)');
    expect(formatInterval('tokens-spent', { low: 900, high: 2_100 })).toBe('900–2.1k');
    expect(formatValue('rating', 3.44)).toBe('3.4');
  });

  it('say the direction of a difference', () => {
    expect([0.12, -0.3, 0].map((value) => formatDifference('alignment', value))).toEqual([
      '+12 points',
      '−30 points',
      '±0 points',
    ]);
  });
});

describe('the table of metrics', () => {
  it('compares with the baseline, or with the same strategy without a core', () => {
    const against = (opponent: 'baseline' | 'without-core') =>
      linesFor(opponent).map((line) => line.cells[0]?.difference?.against ?? null);
    expect(against('baseline')).toEqual([null, baseline, baseline, baseline]);
    expect(against('without-core')).toEqual([null, 'checkpoint', null, 'naive']);
  });

  it('says the basis of a verdict', () => {
    const difference = linesFor('without-core')[3]?.cells[0]?.difference;
    expect(difference && differenceSentence(difference)).toMatch(
      /^\+\d+ points \(interval \+\d+ points to \+\d+ points; 48 values, 6 tasks\) against naive: better$/,
    );
  });

  it('has no number if nothing was measured', () => {
    expect(linesFor('baseline').map((line) => line.cells[1]?.estimate)).toEqual([null, null, null, null]);
    expect([cells.has('rating'), cells.has('alignment')]).toEqual([false, true]);
  });

  it('sorts best first, then reversed, then in the order of the run', () => {
    const first = nextTableSort(null, 'goal-survival');
    const second = nextTableSort(first, 'goal-survival');
    expect([first?.direction, second?.direction, nextTableSort(second, 'goal-survival')]).toEqual([
      'descending',
      'ascending',
      null,
    ]);
    expect(nextTableSort(null, 'violations')?.direction).toBe('ascending');

    const means = sortTable(linesFor('baseline'), first).map((line) => line.cells[0]?.estimate?.mean ?? -1);
    expect(means).toEqual(means.toSorted((a, b) => b - a));
    expect(sortTable(linesFor('baseline'), null).map(({ contender }) => contender.key)).toEqual(
      contenders.map(({ key }) => key),
    );
  });
});

describe('what a person must know before the numbers', () => {
  it('says that a reader shows information survival, not behaviour', () => {
    const { settings } = report;
    expect(respondentWords(settings)).toContain('information survival');
    const words = respondentWords({ respondent: { kind: 'model', name: 'haiku' } });
    expect(words).toContain('haiku');
    expect(words).not.toContain('survival');
  });

  it('says that a run is incomplete, answers are missing or tasks are few; nothing for a complete run', () => {
    expect(cautions(report)).toEqual([]);
    const warnings = cautions({
      ...report,
      units: { done: 3, of: 10 },
      unusable: 2,
      points: report.points.slice(0, 1),
    });
    expect(warnings.map((each) => each.slice(0, 16))).toEqual([
      'Incomplete: 3 of',
      '2 answers could ',
      'Fewer than 6 tas',
    ]);
  });
});
