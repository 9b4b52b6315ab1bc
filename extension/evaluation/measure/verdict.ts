import { heldMetrics, heldPerToken } from './held-per-token';
import type { MetricId } from './metrics';
import { baseline, type EvaluationReport, type Standing, type Verdict } from './report';

/** The whole context holds everything. */
const uncompacted = 'no-compaction';

/**
 * The result of a run in one sentence: who held most, in how many tokens, and whether that is more than the baseline. Null if
 * nothing was compacted.
 */
export function verdictOf(report: Pick<EvaluationReport, 'contenders' | 'cells' | 'differences'>): Verdict | null {
  const all = heldPerToken(report).filter(({ contender }) => contender !== uncompacted);
  const [best, ...others] = all.toSorted((a, b) => percent(b.held) - percent(a.held) || a.kept - b.kept);
  if (!best) return null;
  const compared = all.find(({ contender }) => contender === baseline && contender !== best.contender);
  const clear = (verdict: 'better' | 'worse') =>
    report.differences
      .filter((difference) => difference.contender === best.contender && difference.against === baseline)
      .filter((difference) => difference.verdict === verdict && isHeld(difference.metric))
      .map(({ metric }) => metric);
  return {
    best: standing(best),
    asMuch: others
      .filter(({ contender, held }) => contender !== baseline && percent(held) === percent(best.held))
      .map(standing),
    baseline: compared ? standing(compared) : null,
    better: clear('better'),
    worse: clear('worse'),
  };
}

/** The reader sees whole per cents, so a smaller difference does not count. */
function percent(share: number): number {
  return Math.round(share * 100);
}

function isHeld(metric: MetricId): boolean {
  return (heldMetrics as readonly MetricId[]).includes(metric);
}

function standing({ contender, held, kept }: Standing): Standing {
  return { contender, held, kept };
}
