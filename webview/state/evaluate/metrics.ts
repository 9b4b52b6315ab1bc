import type { MetricDescription, MetricId } from '../../../extension/evaluation/measure/metrics';
import type { Estimate } from '../../../extension/evaluation/measure/report';
import { metricIds, metricOf } from '../../../extension/protocol/view';
import { t, translated } from '../../l10n';
import { formatDuration, formatTokens } from '../shared/format';

type MetricWords = Pick<MetricDescription, 'unit' | 'better'> & { readonly label: string; readonly note: string };

export const metricWords = Object.fromEntries(
  metricIds.map((id): [MetricId, MetricWords] => {
    const { unit, better, label, note } = metricOf[id];
    return [id, { unit, better, label: translated(label), note: translated(note) }];
  }),
) as Readonly<Record<MetricId, MetricWords>>;

/** Metrics for the vertical axis of a chart: shares of what should survive, or of what went wrong. */
export const qualityMetrics: readonly MetricId[] = metricIds.filter(
  (id) => metricWords[id].unit === 'share' && id !== 'tokens-kept',
);

export function formatValue(metric: MetricId, value: number): string {
  const { unit } = metricWords[metric];
  if (unit === 'share') return `${percent(value)} %`;
  if (unit === 'tokens') return formatTokens(value);
  return unit === 'milliseconds' ? formatDuration(value) : value.toFixed(1);
}

/** `71–90 %`: the interval, with its unit once. */
export function formatInterval(metric: MetricId, { low, high }: Pick<Estimate, 'low' | 'high'>): string {
  const [from, to] = [formatValue(metric, low), formatValue(metric, high)];
  return metricWords[metric].unit === 'share' ? `${percent(low)}–${to}` : `${from}–${to}`;
}

/** `82 % (71–90 %; 48 values, 12 tasks)`. */
export function formatEstimate(metric: MetricId, estimate: Estimate): string {
  return t(
    '{0} ({1}; {2})',
    formatValue(metric, estimate.mean),
    formatInterval(metric, estimate),
    formatBasis(estimate),
  );
}

export function formatBasis({ count, tasks }: Pick<Estimate, 'count' | 'tasks'>): string {
  const values = count === 1 ? t('1 value') : t('{0} values', count);
  return `${values}, ${tasks === 1 ? t('1 task') : t('{0} tasks', tasks)}`;
}

/** `+12 points`, `−0.3`: a difference always has a sign. */
export function formatDifference(metric: MetricId, value: number): string {
  const sign = value > 0 ? '+' : value < 0 ? '−' : '±';
  const size = Math.abs(value);
  if (metricWords[metric].unit === 'share') return t('{0} points', `${sign}${percent(size)}`);
  return `${sign}${formatValue(metric, size)}`;
}

function percent(share: number): string {
  const value = share * 100;
  return String(Math.round(value) === 0 ? 0 : Math.round(value));
}
