import type { MetricId } from '../../../extension/evaluation/measure/metrics';
import type { Difference, Estimate, EvaluationReport } from '../../../extension/evaluation/measure/report';
import { baseline } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import { nextSort, type Sort, sortedBy } from '../shared/sort';
import type { ContenderView } from './contenders';
import { formatBasis, formatDifference, metricWords } from './metrics';
import type { Cells } from './plot';

export type TableSort = Sort<MetricId | 'contender'>;

/** The reference of the table's verdicts. */
export type Opponent = 'baseline' | 'without-core';

export interface TableCell {
  readonly metric: MetricId;
  readonly estimate: Estimate | null;
  readonly difference: Difference | null;
}

interface TableLine {
  readonly contender: ContenderView;
  readonly cells: readonly TableCell[];
}

export function tableLines(
  cells: Cells,
  report: Pick<EvaluationReport, 'differences'>,
  contenders: readonly ContenderView[],
  columns: readonly MetricId[],
  opponent: Opponent,
): readonly TableLine[] {
  return contenders.map((contender) => ({
    contender,
    cells: columns.map((metric) => ({
      metric,
      estimate: cells.estimate(contender.key, metric),
      difference: differenceOf(report, contender, metric, opponentOf(contender, opponent)),
    })),
  }));
}

/** Null if there is nothing to compare it with. */
export function opponentOf({ key, strategy, core }: ContenderView, opponent: Opponent): string | null {
  if (opponent === 'baseline') return key === baseline ? null : baseline;
  return core === 'none' ? null : strategy;
}

function differenceOf(
  { differences }: Pick<EvaluationReport, 'differences'>,
  { key }: ContenderView,
  metric: MetricId,
  against: string | null,
): Difference | null {
  if (against === null) return null;
  return (
    differences.find((each) => each.contender === key && each.against === against && each.metric === metric) ?? null
  );
}

/** Best first, then reversed, then the order of the run. */
export function nextTableSort(sort: TableSort | null, column: TableSort['column']): TableSort | null {
  const first = column !== 'contender' && metricWords[column].better === 'higher' ? 'descending' : 'ascending';
  return nextSort(sort, column, first);
}

export function sortTable(lines: readonly TableLine[], sort: TableSort | null): readonly TableLine[] {
  return sort === null ? lines : sortedBy(lines, sort, (line) => valueIn(line, sort.column));
}

function valueIn({ contender, cells }: TableLine, column: TableSort['column']): string | number | null {
  if (column === 'contender') return contender.key;
  return cells.find((cell) => cell.metric === column)?.estimate?.mean ?? null;
}

type Verdict = Difference['verdict'];

/** Words and a sign, independent of colour. The sign says good or bad, because the good direction differs by metric. */
export const verdictWords: Readonly<Record<Verdict, { readonly sign: string; readonly word: string }>> = {
  better: { sign: '▲', word: t('better') },
  worse: { sign: '▼', word: t('worse') },
  unclear: { sign: '○', word: t('unclear') },
};

/** `+12 points (interval +4 to +21 points; 48 values, 12 tasks) against checkpoint: better`. */
export function differenceSentence({ metric, against, estimate, verdict }: Difference): string {
  return t(
    '{0} (interval {1} to {2}; {3}) against {4}: {5}',
    formatDifference(metric, estimate.mean),
    formatDifference(metric, estimate.low),
    formatDifference(metric, estimate.high),
    formatBasis(estimate),
    against,
    verdictWords[verdict].word,
  );
}
