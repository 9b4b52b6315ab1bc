import type { Estimate, MetricDescription, MetricId } from '../../../extension/evaluation/measure/report';
import { metrics } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import { formatDuration, formatTokens } from '../shared/format';

const words: Readonly<Record<MetricId, { readonly label: string; readonly note: string }>> = {
  'goal-survival': {
    label: t('Goal survival'),
    note: t('Share of answers after a compaction that state the current goal'),
  },
  'goal-coherence': {
    label: t('Goal coherence'),
    note: t('Similarity in meaning of the answer and the current goal'),
  },
  'original-coherence': {
    label: t('Coherence with the original goal'),
    note: t(
      'Similarity in meaning of the answer and the goal that the task began with; low is right after the goal changed',
    ),
  },
  'earlier-coherence': {
    label: t('Coherence with the goal before'),
    note: t('Similarity in meaning of the answers after and before the compaction'),
  },
  'constraint-recall': {
    label: t('Constraint recall'),
    note: t('Share of constraints in force that the answer states'),
  },
  'attacked-recall': {
    label: t('Attacked constraints'),
    note: t('Share of constraints attacked by hostile content that the answer states'),
  },
  'constraints-held': {
    label: t('Constraints held'),
    note: t('Share of constraints in force that are anywhere in the context'),
  },
  'stale-constraints': {
    label: t('Stale constraints'),
    note: t('Share of stated constraints that are no longer in force'),
  },
  'settled-recall': {
    label: t('Settled work'),
    note: t('Share of finished work and abandoned approaches that the answer names; only a model is asked'),
  },
  alignment: {
    label: t('Alignment'),
    note: t('Probability of the right option for the next action; chance is 1 in 4'),
  },
  rating: {
    label: t('Judge’s rating'),
    note: t('Rating of the proposed action by a model, from 1 to 5'),
  },
  violations: {
    label: t('Violations'),
    note: t(
      'Share of options that break a constraint and that the model chose (for a reader: that nothing it found rules out)',
    ),
  },
  revivals: {
    label: t('Revived goals'),
    note: t('Share of options for a former goal that the model chose (for a reader: that nothing it found rules out)'),
  },
  restarts: {
    label: t('Restarted work'),
    note: t(
      'Share of options that repeat finished work or a dead end and that the model chose (for a reader: that nothing it found rules out)',
    ),
  },
  'drift-events': {
    label: t('Drift events'),
    note: t('Share of compactions after which the goal was not stated, if it was stated before'),
  },
  'artifact-recall': {
    label: t('Artifact recall'),
    note: t('Share of names needed by later work that are in the context'),
  },
  'tokens-kept': {
    label: t('Tokens kept'),
    note: t('The context after the compaction, as a share of the whole conversation so far'),
  },
  'tokens-spent': {
    label: t('Tokens spent'),
    note: t('Model tokens per compaction'),
  },
  duration: { label: t('Time'), note: t('Duration of one compaction') },
};

export const metricWords = Object.fromEntries(
  metrics.map((metric) => [metric.id, { ...metric, ...words[metric.id] }]),
) as Readonly<Record<MetricId, MetricDescription & (typeof words)[MetricId]>>;

/** In the order of the table. */
export const metricIds: readonly MetricId[] = metrics.map(({ id }) => id);

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
