import type { MetricId } from './metrics';
import type { ContenderId, EvaluationSettings } from './results';
import type { TaskKind } from './tasks/task';

/** A mean with its 95 % bootstrap interval over tasks. */
export interface Estimate {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** Number of values, and of tasks they come from. */
  readonly count: number;
  readonly tasks: number;
}

export interface MetricCell {
  readonly contender: string;
  readonly metric: MetricId;
  /** Number of the compaction; null for all probed compactions together. */
  readonly compaction: number | null;
  /** Null if nothing was measured. */
  readonly estimate: Estimate | null;
}

/** Difference of two contenders, paired by task, seed and compaction. */
export interface Difference {
  readonly contender: string;
  readonly against: string;
  readonly metric: MetricId;
  /** `contender` minus `against`. */
  readonly estimate: Estimate;
  /** `unclear` if the interval contains 0, or with fewer than `minClusters` tasks. */
  readonly verdict: 'better' | 'worse' | 'unclear';
}

export interface ContenderInReport extends ContenderId {
  /** See `contenderKey`. */
  readonly key: string;
  /** Probed boundaries, and how many of them had no compaction and are left out of all numbers. */
  readonly boundaries: number;
  readonly uncompacted: number;
  /** Probes with unusable answers, before and after compactions. */
  readonly unusable: number;
}

/** One boundary of one unit, as a point of the dashboard. `id` identifies its probes. */
export interface ReportPoint {
  readonly id: string;
  readonly contender: string;
  readonly task: string;
  readonly seed: number;
  readonly compaction: number;
  readonly scores: Readonly<Partial<Record<MetricId, number>>>;
}

/** Selects the results of a report. An absent list selects all. */
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
  /** Finished units, and units of the whole run. */
  readonly units: { readonly done: number; readonly of: number };
  /** Probes with unusable answers, over all contenders. */
  readonly unusable: number;
  /** In the order of the settings. */
  readonly contenders: readonly ContenderInReport[];
  /** All tasks, seeds and compactions with results, regardless of the filter. */
  readonly tasks: readonly { readonly name: string; readonly title: string; readonly kind: TaskKind }[];
  readonly seeds: readonly number[];
  readonly compactions: readonly number[];
  readonly cells: readonly MetricCell[];
  /** All contenders against the baseline, and each with a core against the same strategy without one. */
  readonly differences: readonly Difference[];
  readonly points: readonly ReportPoint[];
  /** Null if nothing was compacted. */
  readonly verdict: Verdict | null;
}

/** How much a contender held, and the share of the tokens that it kept, each from 0 to 1. */
export interface Standing {
  readonly contender: string;
  readonly held: number;
  readonly kept: number;
}

/** The contender that held most, against the baseline; `baseline` is null if that is the best, or did not take part. */
export interface Verdict {
  readonly best: Standing;
  /** Others than the baseline that held as much, in whole per cents, in more tokens: fewest tokens first. */
  readonly asMuch: readonly Standing[];
  readonly baseline: Standing | null;
  /** The metrics in which it is clearly better than the baseline, and clearly worse. */
  readonly better: readonly MetricId[];
  readonly worse: readonly MetricId[];
}

/** The strategy that others are compared with. */
export const baseline = 'checkpoint';
