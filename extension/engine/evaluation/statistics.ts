import { mean, quantileSorted } from 'simple-statistics';
import { Random } from './random';
import type { Estimate } from './report';

/** One measured value. Values of one cluster (a task, a session) hang together, so they are drawn together. */
export interface Sample {
  readonly cluster: string;
  readonly value: number;
}

const resamples = 1000;

/** Share of the resampled means that lies outside, on both sides together. */
const outside = 0.05;

/** With fewer clusters an interval says too little to call anything better. */
export const fewestClusters = 5;

/**
 * The mean with its 95 % interval, by percentile bootstrap over clusters; null for no values. The same samples give the
 * same interval. Time linear in the values.
 */
export function meanWithInterval(samples: readonly Sample[], seed = 0): Estimate | null {
  if (samples.length === 0) return null;
  const clusters = [...sumsByCluster(samples).values()];
  const random = new Random('bootstrap', seed);
  const means = Array.from({ length: resamples }, () => meanOfDraw(clusters, random)).sort((a, b) => a - b);
  return {
    mean: mean(samples.map(({ value }) => value)),
    low: quantileSorted(means, outside / 2),
    high: quantileSorted(means, 1 - outside / 2),
    count: samples.length,
    tasks: clusters.length,
  };
}

interface Sum {
  total: number;
  count: number;
}

function sumsByCluster(samples: readonly Sample[]): Map<string, Sum> {
  const sums = new Map<string, Sum>();
  for (const { cluster, value } of samples) {
    const sum = sums.get(cluster) ?? { total: 0, count: 0 };
    sum.total += value;
    sum.count += 1;
    sums.set(cluster, sum);
  }
  return sums;
}

/** As many clusters as there are, each drawn from all of them. */
function meanOfDraw(clusters: readonly Sum[], random: Random): number {
  let total = 0;
  let count = 0;
  for (let drawn = 0; drawn < clusters.length; drawn += 1) {
    const sum = random.oneOf(clusters);
    total += sum.total;
    count += sum.count;
  }
  return total / count;
}

/** What the interval of a difference allows to say. */
export function verdictOf(difference: Estimate, better: 'higher' | 'lower'): 'better' | 'worse' | 'unclear' {
  if (difference.tasks < fewestClusters || (difference.low <= 0 && difference.high >= 0)) return 'unclear';
  const isHigher = difference.low > 0;
  return isHigher === (better === 'higher') ? 'better' : 'worse';
}
