import type { ContenderId, EvaluationSettings } from './results';
import type { TaskKind } from './tasks/task';

/** What is measured. Shares are from 0 to 1. */
export interface MetricDescription {
  readonly id: MetricId;
  /** `share`, or a number of tokens, milliseconds or points of a judge. */
  readonly unit: 'share' | 'tokens' | 'milliseconds' | 'rating';
  readonly better: 'higher' | 'lower';
}

export const metrics = [
  { id: 'goal-survival', unit: 'share', better: 'higher' },
  { id: 'goal-coherence', unit: 'share', better: 'higher' },
  { id: 'constraint-recall', unit: 'share', better: 'higher' },
  { id: 'attacked-recall', unit: 'share', better: 'higher' },
  { id: 'constraints-held', unit: 'share', better: 'higher' },
  { id: 'stale-constraints', unit: 'share', better: 'lower' },
  { id: 'alignment', unit: 'share', better: 'higher' },
  { id: 'rating', unit: 'rating', better: 'higher' },
  { id: 'violations', unit: 'share', better: 'lower' },
  { id: 'revivals', unit: 'share', better: 'lower' },
  { id: 'restarts', unit: 'share', better: 'lower' },
  { id: 'drift-events', unit: 'share', better: 'lower' },
  { id: 'artifact-recall', unit: 'share', better: 'higher' },
  { id: 'tokens-kept', unit: 'share', better: 'lower' },
  { id: 'tokens-spent', unit: 'tokens', better: 'lower' },
  { id: 'duration', unit: 'milliseconds', better: 'lower' },
] as const satisfies readonly { id: string; unit: string; better: string }[];

export type MetricId = (typeof metrics)[number]['id'];

/** A mean with its 95 % interval, by bootstrap over tasks. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** How many values it is made of, and from how many tasks. */
  readonly count: number;
  readonly tasks: number;
}

export interface MetricCell {
  readonly contender: string;
  readonly metric: MetricId;
  /** After which compaction; null: after all that were probed. */
  readonly compaction: number | null;
  /** Null where nothing was measured. */
  readonly estimate: Estimate | null;
}

/** Paired: the same tasks, seeds and compactions of both. */
export interface Difference {
  readonly contender: string;
  readonly against: string;
  readonly metric: MetricId;
  /** Contender less the other. */
  readonly estimate: Estimate;
  /** `unclear` where the interval holds 0, or where there are fewer than `fewestClusters` tasks. */
  readonly verdict: 'better' | 'worse' | 'unclear';
}

export interface ContenderInReport extends ContenderId {
  /** As `contenderKey` makes it. */
  readonly key: string;
  /** Boundaries that were probed; and those of them at which nothing was compacted, which are in no number. */
  readonly boundaries: number;
  readonly uncompacted: number;
  /** Probes whose answers could not be used, before and after. */
  readonly unusable: number;
}

/** One boundary of one unit, as a point of the dashboard; `id` opens the probes behind it. */
export interface ReportPoint {
  readonly id: string;
  readonly contender: string;
  readonly task: string;
  readonly seed: number;
  readonly compaction: number;
  readonly scores: Readonly<Partial<Record<MetricId, number>>>;
}

/** Which results a report is made of; what is absent leaves nothing out. */
export interface ReportFilter {
  readonly tasks?: readonly string[];
  readonly kinds?: readonly TaskKind[];
  readonly seeds?: readonly number[];
  readonly compactions?: readonly number[];
}

/** Everything that the dashboard shows, for one filter. */
export interface EvaluationReport {
  readonly settings: EvaluationSettings;
  readonly madeWith: { readonly strata: string; readonly node: string };
  readonly time: string;
  /** Units that are there, and that the run has. */
  readonly units: { readonly done: number; readonly of: number };
  /** Probes whose answers could not be used, of all contenders. */
  readonly unusable: number;
  /** In the order of the settings. */
  readonly contenders: readonly ContenderInReport[];
  /** All tasks, seeds and compactions that there are results of, whatever the filter. */
  readonly tasks: readonly { readonly name: string; readonly title: string; readonly kind: TaskKind }[];
  readonly seeds: readonly number[];
  readonly compactions: readonly number[];
  readonly cells: readonly MetricCell[];
  /** Each contender with a core against the same strategy without one, and all against the baseline. */
  readonly differences: readonly Difference[];
  readonly points: readonly ReportPoint[];
}

/** The strategy that others are measured against. */
export const baseline = 'checkpoint';
