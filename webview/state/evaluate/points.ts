import type { MetricId } from '../../../extension/evaluation/measure/metrics';
import type { EvaluationReport, ReportPoint } from '../../../extension/evaluation/measure/report';
import { t } from '../../l10n';
import { metricWords } from './metrics';

/** Selection of the boundaries to list. */
export interface Chosen {
  readonly contender: string;
  /** Null: all compactions. */
  readonly compaction: number | null;
}

type Points = Pick<EvaluationReport, 'points'>;

/** The boundaries that a mark summarises, worst first: readers look for what went wrong. */
export function pointsOfMark(
  { points }: Points,
  { contender, compaction }: Chosen,
  metric: MetricId,
): readonly ReportPoint[] {
  const sign = metricWords[metric].better === 'higher' ? 1 : -1;
  const worst = (point: ReportPoint) => sign * (point.scores[metric] ?? sign * Number.POSITIVE_INFINITY);
  return points
    .filter((point) => point.contender === contender && (compaction === null || point.compaction === compaction))
    .toSorted((a, b) => worst(a) - worst(b));
}

/** Boundaries at which the goal was stated before the compaction, and another one or none after it. */
export function driftEvents({ points }: Points, shown: ReadonlySet<string>): readonly ReportPoint[] {
  return points.filter(({ contender, scores }) => shown.has(contender) && (scores['drift-events'] ?? 0) > 0);
}

/** Number of boundaries at which drift was measured. */
export function driftChances({ points }: Points, shown: ReadonlySet<string>): number {
  return points.filter(({ contender, scores }) => shown.has(contender) && scores['drift-events'] !== undefined).length;
}

export function boundaryName({ seed, compaction }: Pick<ReportPoint, 'seed' | 'compaction'>): string {
  return t('seed {0}, compaction {1}', seed, compaction);
}

export function chosenWords({ contender, compaction }: Chosen): string {
  return compaction === null ? contender : t('{0}, compaction {1}', contender, compaction);
}
