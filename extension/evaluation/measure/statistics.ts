import { cumulativeStdNormalProbability, mean, quantileSorted } from 'simple-statistics';
import type { MetricDescription } from './metrics';
import { Random } from './random';
import type { Difference, Estimate } from './report';

/** One measured value. Values of one cluster (a task, a session) are correlated, so they are resampled together. */
export interface Sample {
  readonly cluster: string;
  readonly value: number;
}

const resamples = 2000;

/** Minimum for a verdict: six coin throws all fall on one side once in 32 times, fewer more often. */
export const minClusters = 6;

/**
 * The mean with its 95 % interval by bootstrap over clusters; null for no values. Expanded percentiles, because plain
 * ones are too narrow for few clusters (T. Hesterberg, What Teachers Should Know About the Bootstrap, 2015).
 * Deterministic; time linear in the values.
 */
export function meanWithInterval(samples: readonly Sample[]): Estimate | null {
  if (samples.length === 0) return null;
  const clusters = sumsByCluster(samples);
  const means = drawsOf(clusters.length)
    .map((draw) => meanOfDraw(clusters, draw))
    .sort((a, b) => a - b);
  const tail = tailFor(clusters.length);
  return {
    mean: mean(samples.map(({ value }) => value)),
    low: quantileSorted(means, tail),
    high: quantileSorted(means, 1 - tail),
    count: samples.length,
    tasks: clusters.length,
  };
}

/** 97.5 % quantiles of Student's t for 1, 2, … degrees of freedom. Above that the normal quantile is close enough. */
const students = [
  12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.16, 2.145, 2.131, 2.12, 2.11,
  2.101, 2.093, 2.086, 2.08, 2.074, 2.069, 2.064, 2.06, 2.056, 2.052, 2.048, 2.045, 2.042,
];
const normal = 1.96;

/** Share of the resampled means outside the interval on each side. */
function tailFor(clusters: number): number {
  if (clusters < 2) return 0;
  const student = students[clusters - 2] ?? normal;
  return cumulativeStdNormalProbability(-student * Math.sqrt(clusters / (clusters - 1)));
}

const draws = new Map<number, readonly Uint16Array[]>();

/** The resamples: each draws `clusters` indexes with replacement. Cached, so all means over as many clusters share them. */
function drawsOf(clusters: number): readonly Uint16Array[] {
  const known = draws.get(clusters);
  if (known) return known;
  const random = new Random('bootstrap', clusters);
  const made = Array.from({ length: resamples }, () =>
    Uint16Array.from({ length: clusters }, () => random.below(clusters)),
  );
  draws.set(clusters, made);
  return made;
}

interface Sum {
  readonly total: number;
  readonly count: number;
}

function sumsByCluster(samples: readonly Sample[]): Sum[] {
  const clusters = Map.groupBy(samples, ({ cluster }) => cluster);
  return [...clusters.values()].map((among) => ({
    total: among.reduce((sum, { value }) => sum + value, 0),
    count: among.length,
  }));
}

function meanOfDraw(clusters: readonly Sum[], draw: Uint16Array): number {
  let total = 0;
  let count = 0;
  for (const index of draw) {
    total += clusters[index]?.total ?? 0;
    count += clusters[index]?.count ?? 0;
  }
  return total / count;
}

/** The verdict that the interval of a difference supports. */
export function verdictOf(difference: Estimate, better: MetricDescription['better']): Difference['verdict'] {
  if (better === 'neither' || difference.tasks < minClusters || (difference.low <= 0 && difference.high >= 0))
    return 'unclear';
  const isHigher = difference.low > 0;
  return isHigher === (better === 'higher') ? 'better' : 'worse';
}
