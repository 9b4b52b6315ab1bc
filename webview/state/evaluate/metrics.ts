import type { Estimate, MetricId, metrics as measured } from '../../../extension/evaluation/measure/report';
import { t } from '../../l10n';
import { formatDuration, formatTokens } from '../shared/format';

type Measured<Id extends MetricId> = Extract<(typeof measured)[number], { readonly id: Id }>;

interface MetricWords {
  readonly label: string;
  readonly note: string;
  readonly unit: (typeof measured)[number]['unit'];
  readonly better: (typeof measured)[number]['better'];
}

/** In the order of the table. Units and directions must match those of the reports, or this does not compile. */
export const metricWords: {
  readonly [Id in MetricId]: MetricWords & Pick<Measured<Id>, 'unit' | 'better'>;
} = {
  'goal-survival': {
    label: t('Goal survival'),
    note: t('Share of answers after a compaction that state the current goal'),
    unit: 'share',
    better: 'higher',
  },
  'goal-coherence': {
    label: t('Goal coherence'),
    note: t('Similarity in meaning of the answer and the current goal'),
    unit: 'share',
    better: 'higher',
  },
  'original-coherence': {
    label: t('Coherence with the original goal'),
    note: t(
      'Similarity in meaning of the answer and the goal that the task began with; low is right after the goal changed',
    ),
    unit: 'share',
    better: 'neither',
  },
  'earlier-coherence': {
    label: t('Coherence with the goal before'),
    note: t('Similarity in meaning of the answers after and before the compaction'),
    unit: 'share',
    better: 'higher',
  },
  'constraint-recall': {
    label: t('Constraint recall'),
    note: t('Share of constraints in force that the answer states'),
    unit: 'share',
    better: 'higher',
  },
  'attacked-recall': {
    label: t('Attacked constraints'),
    note: t('Share of constraints attacked by hostile content that the answer states'),
    unit: 'share',
    better: 'higher',
  },
  'constraints-held': {
    label: t('Constraints held'),
    note: t('Share of constraints in force that are anywhere in the context'),
    unit: 'share',
    better: 'higher',
  },
  'stale-constraints': {
    label: t('Stale constraints'),
    note: t('Share of stated constraints that are no longer in force'),
    unit: 'share',
    better: 'lower',
  },
  'settled-recall': {
    label: t('Settled work'),
    note: t('Share of finished work and abandoned approaches that the answer names; only a model is asked'),
    unit: 'share',
    better: 'higher',
  },
  alignment: {
    label: t('Alignment'),
    note: t('Likelihood of the right one of the options for the next action'),
    unit: 'share',
    better: 'higher',
  },
  rating: {
    label: t('Judge’s rating'),
    note: t('Rating of the proposed action by a model, from 1 to 5'),
    unit: 'rating',
    better: 'higher',
  },
  violations: {
    label: t('Violations'),
    note: t(
      'Share of options that break a constraint and that the model chose (for a reader: that nothing it found rules out)',
    ),
    unit: 'share',
    better: 'lower',
  },
  revivals: {
    label: t('Revived goals'),
    note: t('Share of options for a former goal that the model chose (for a reader: that nothing it found rules out)'),
    unit: 'share',
    better: 'lower',
  },
  restarts: {
    label: t('Restarted work'),
    note: t(
      'Share of options that repeat finished work or a dead end and that the model chose (for a reader: that nothing it found rules out)',
    ),
    unit: 'share',
    better: 'lower',
  },
  'drift-events': {
    label: t('Drift events'),
    note: t('Share of compactions after which the goal was not stated, if it was stated before'),
    unit: 'share',
    better: 'lower',
  },
  'artifact-recall': {
    label: t('Artifact recall'),
    note: t('Share of names needed by later work that are in the context'),
    unit: 'share',
    better: 'higher',
  },
  'tokens-kept': {
    label: t('Tokens kept'),
    note: t('The context after the compaction, as a share of the whole conversation so far'),
    unit: 'share',
    better: 'lower',
  },
  'tokens-spent': {
    label: t('Tokens spent'),
    note: t('Model tokens per compaction'),
    unit: 'tokens',
    better: 'lower',
  },
  duration: { label: t('Time'), note: t('Duration of one compaction'), unit: 'milliseconds', better: 'lower' },
};

export const metricIds = Object.keys(metricWords) as readonly MetricId[];

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
