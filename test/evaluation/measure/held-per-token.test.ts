import { describe, expect, it } from 'vitest';
import { heldMetrics, heldPerToken } from '../../../extension/evaluation/measure/held-per-token';
import type { MetricId } from '../../../extension/evaluation/measure/metrics';
import type {
  ContenderInReport,
  Difference,
  EvaluationReport,
  MetricCell,
} from '../../../extension/evaluation/measure/report';
import { verdictSentence } from '../../../extension/evaluation/measure/report-text';
import { type ContenderId, contenderKey } from '../../../extension/evaluation/measure/results';
import { verdictOf } from '../../../extension/evaluation/measure/verdict';

type Measured = ContenderId & { readonly held: number; readonly kept: number };

/** A report in which a contender has the same score in everything that is counted as held. */
function reportWith(...measured: readonly Measured[]): EvaluationReport {
  const contenders = measured.map(
    (id): ContenderInReport => ({ ...id, key: contenderKey(id), boundaries: 4, uncompacted: 0, unusable: 0 }),
  );
  const cell = (id: ContenderId, metric: MetricId, mean: number): MetricCell => ({
    contender: contenderKey(id),
    metric,
    compaction: null,
    estimate: { mean, low: mean, high: mean, count: 4, tasks: 1 },
  });
  const cells = measured.flatMap((id) => [
    ...heldMetrics.map((metric) => cell(id, metric, id.held)),
    ...(id.kept > 0 ? [cell(id, 'tokens-kept', id.kept)] : []),
  ]);
  return { contenders, cells, differences: [] } as unknown as EvaluationReport;
}

describe('what is held per token', () => {
  it('names for each contender the one that holds most in no more tokens', () => {
    const report = reportWith(
      { strategy: 'no-compaction', core: 'none', held: 1, kept: 1 },
      { strategy: 'codex', core: 'none', held: 0.9, kept: 0.125 },
      { strategy: 'pipeline', core: 'none', held: 0.6, kept: 0.3 },
      { strategy: 'codex', core: 'pinned', held: 0.95, kept: 0.125 },
    );
    expect(heldPerToken(report).map(({ contender, perToken, beatenBy }) => [contender, perToken, beatenBy])).toEqual([
      ['codex+pinned', 7.6, null],
      ['codex', 7.2, null],
      ['pipeline', 2, 'codex'],
      ['no-compaction', 1, null],
    ]);
  });

  it('leaves out a contender that compacted nothing', () => {
    expect(heldPerToken(reportWith({ strategy: 'goal-batch', core: 'none', held: 0.5, kept: 0 }))).toEqual([]);
  });
});

describe('the verdict of a run', () => {
  const measured = reportWith(
    { strategy: 'no-compaction', core: 'none', held: 1, kept: 1 },
    { strategy: 'checkpoint', core: 'none', held: 0.7, kept: 0.3 },
    { strategy: 'ladder', core: 'none', held: 0.9, kept: 0.4 },
  );
  const difference = (metric: MetricId, verdict: Difference['verdict']): Difference => {
    const estimate = { mean: 0.2, low: 0.1, high: 0.3, count: 4, tasks: 6 };
    return { contender: 'ladder', against: 'checkpoint', metric, estimate, verdict };
  };
  const sentenceOf = (differences: readonly Difference[]) => {
    const verdict = verdictOf({ ...measured, differences });
    return verdict && verdictSentence(verdict);
  };

  it('is one sentence on who held most, in how many tokens, and what the baseline held', () => {
    expect(sentenceOf([])).toBe(
      'Most was held by ladder: 90 % of goals, rules, next actions and names, in 40 % of the tokens; checkpoint held 70 % in 30 %. The difference from checkpoint is not clear.',
    );
  });

  it('says what is clear, and nothing of metrics that do not count as held', () => {
    const found = sentenceOf([difference('goal-survival', 'better'), difference('duration', 'worse')]);
    expect(found).toMatch(/Against checkpoint: clearly more goal survival\.$/i);
    expect(found).not.toContain('less');
  });

  it('there is no verdict if nothing was compacted', () => {
    const equal = reportWith(
      { strategy: 'ladder', core: 'none', held: 0.882, kept: 0.34 },
      { strategy: 'codex', core: 'none', held: 0.879, kept: 0.2 },
    );
    const verdict = verdictOf(equal);
    expect(verdict && verdictSentence(verdict)).toBe(
      'Most was held by codex: 88 % of goals, rules, next actions and names, in 20 % of the tokens, as much by ladder in 34 %.',
    );
    expect(verdictOf(reportWith({ strategy: 'no-compaction', core: 'none', held: 1, kept: 1 }))).toBeNull();
  });
});
