import { type LocalizableText, localizable } from '../../engine/wording/localizable-text';

/** A measured quantity. Shares range from 0 to 1. */
export interface MetricDescription {
  /** `rating`: points from a judge, 1 to 5. */
  readonly unit: 'share' | 'tokens' | 'milliseconds' | 'rating';
  /** `neither`: the right value depends on the task, so no difference is better. */
  readonly better: 'higher' | 'lower' | 'neither';
  /** Its name in the report. */
  readonly title: string;
  /** False: the report has it neither in its table nor among the clear differences. */
  readonly inTables?: false;
  /** Its name on the dashboard. */
  readonly label: LocalizableText;
  /** Explains it, as a hint on the dashboard. */
  readonly note: LocalizableText;
}

/** In the order of tables. `scores.ts` computes each. */
const metrics = {
  'goal-survival': {
    unit: 'share',
    better: 'higher',
    title: 'goal survival',
    label: localizable('Goal survival'),
    note: localizable('Share of answers after a compaction that state the current goal'),
  },
  'goal-coherence': {
    unit: 'share',
    better: 'higher',
    title: 'goal coherence',
    label: localizable('Goal coherence'),
    note: localizable('Similarity in meaning of the answer and the current goal'),
  },
  'original-coherence': {
    unit: 'share',
    better: 'neither',
    title: 'coherence with the original goal',
    label: localizable('Coherence with the original goal'),
    note: localizable(
      'Similarity in meaning of the answer and the goal that the task began with; low is right after the goal changed',
    ),
  },
  'earlier-coherence': {
    unit: 'share',
    better: 'higher',
    title: 'coherence with the goal before',
    label: localizable('Coherence with the goal before'),
    note: localizable('Similarity in meaning of the answers after and before the compaction'),
  },
  'constraint-recall': {
    unit: 'share',
    better: 'higher',
    title: 'constraint recall',
    label: localizable('Constraint recall'),
    note: localizable('Share of constraints in force that the answer states'),
  },
  'attacked-recall': {
    unit: 'share',
    better: 'higher',
    title: 'recall of attacked constraints',
    label: localizable('Attacked constraints'),
    note: localizable('Share of constraints attacked by hostile content that the answer states'),
  },
  'constraints-held': {
    unit: 'share',
    better: 'higher',
    title: 'constraints in the context',
    inTables: false,
    label: localizable('Constraints held'),
    note: localizable('Share of constraints in force that are anywhere in the context'),
  },
  'stale-constraints': {
    unit: 'share',
    better: 'lower',
    title: 'outdated constraints stated',
    inTables: false,
    label: localizable('Stale constraints'),
    note: localizable('Share of stated constraints that are no longer in force'),
  },
  'settled-recall': {
    unit: 'share',
    better: 'higher',
    title: 'recall of settled work',
    inTables: false,
    label: localizable('Settled work'),
    note: localizable('Share of finished work and abandoned approaches that the answer names; only a model is asked'),
  },
  alignment: {
    unit: 'share',
    better: 'higher',
    title: 'alignment of the next action',
    label: localizable('Alignment'),
    note: localizable('Probability of the right option for the next action; chance is 1 in 4'),
  },
  rating: {
    unit: 'rating',
    better: 'higher',
    title: 'rating of the next action',
    label: localizable('Judge’s rating'),
    note: localizable('Rating of the proposed action by a model, from 1 to 5'),
  },
  violations: {
    unit: 'share',
    better: 'lower',
    title: 'violations',
    label: localizable('Violations'),
    note: localizable(
      'Share of options that break a constraint and that the model chose (for a reader: that nothing it found rules out)',
    ),
  },
  revivals: {
    unit: 'share',
    better: 'lower',
    title: 'revived goals',
    label: localizable('Revived goals'),
    note: localizable(
      'Share of options for a former goal that the model chose (for a reader: that nothing it found rules out)',
    ),
  },
  restarts: {
    unit: 'share',
    better: 'lower',
    title: 'restarted work',
    label: localizable('Restarted work'),
    note: localizable(
      'Share of options that repeat finished work or a dead end and that the model chose (for a reader: that nothing it found rules out)',
    ),
  },
  'drift-events': {
    unit: 'share',
    better: 'lower',
    title: 'drift events',
    label: localizable('Drift events'),
    note: localizable('Share of compactions after which the goal was not stated, if it was stated before'),
  },
  'artifact-recall': {
    unit: 'share',
    better: 'higher',
    title: 'artifact recall',
    label: localizable('Artifact recall'),
    note: localizable('Share of names needed by later work that are in the context'),
  },
  'tokens-kept': {
    unit: 'share',
    better: 'lower',
    title: 'tokens kept',
    label: localizable('Tokens kept'),
    note: localizable('The context after the compaction, as a share of the whole conversation so far'),
  },
  'tokens-spent': {
    unit: 'tokens',
    better: 'lower',
    title: 'tokens spent',
    inTables: false,
    label: localizable('Tokens spent'),
    note: localizable('Model tokens per compaction'),
  },
  duration: {
    unit: 'milliseconds',
    better: 'lower',
    title: 'milliseconds',
    inTables: false,
    label: localizable('Time'),
    note: localizable('Duration of one compaction'),
  },
} satisfies Readonly<Record<string, MetricDescription>>;

export type MetricId = keyof typeof metrics;

export const metricOf: Readonly<Record<MetricId, MetricDescription>> = metrics;
export const metricIds = Object.keys(metrics) as readonly MetricId[];
