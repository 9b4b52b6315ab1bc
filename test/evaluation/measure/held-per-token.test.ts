import { describe, expect, it } from 'vitest';
import { heldMetrics, heldPerToken } from '../../../extension/evaluation/measure/held-per-token';
import type {
  ContenderInReport,
  EvaluationReport,
  MetricCell,
  MetricId,
} from '../../../extension/evaluation/measure/report';
import { type ContenderId, contenderKey } from '../../../extension/evaluation/measure/results';

type Measured = ContenderId & { readonly held: number; readonly kept: number };

/** A report in which a contender has the same score in everything that counts as held. */
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
  return { contenders, cells } as unknown as EvaluationReport;
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
