import { heldMetrics, heldPerToken } from './held-per-token';
import { baseline, type EvaluationReport, type MetricId, type Standing, type Verdict } from './report';

/** The whole context holds everything. */
const uncompacted = 'no-compaction';

/**
 * What a run says in one sentence: who held most, in how many tokens, and whether that is more than the baseline. Null if
 * nothing was compacted.
 */
export function verdictOf(report: Pick<EvaluationReport, 'contenders' | 'cells' | 'differences'>): Verdict | null {
  const all = heldPerToken(report).filter(({ contender }) => contender !== uncompacted);
  const best = all.toSorted((a, b) => b.held - a.held || a.kept - b.kept)[0];
  if (!best) return null;
  const compared = all.find(({ contender }) => contender === baseline && contender !== best.contender);
  const clear = (verdict: 'better' | 'worse') =>
    report.differences
      .filter((difference) => difference.contender === best.contender && difference.against === baseline)
      .filter((difference) => difference.verdict === verdict && isHeld(difference.metric))
      .map(({ metric }) => metric);
  return {
    best: standing(best),
    baseline: compared ? standing(compared) : null,
    better: clear('better'),
    worse: clear('worse'),
  };
}

function isHeld(metric: MetricId): boolean {
  return (heldMetrics as readonly MetricId[]).includes(metric);
}

function standing({ contender, held, kept }: Standing): Standing {
  return { contender, held, kept };
}
