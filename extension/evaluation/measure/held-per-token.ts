import type { MetricId } from './metrics';
import type { ContenderInReport, EvaluationReport } from './report';

type Measurements = Pick<EvaluationReport, 'contenders' | 'cells'>;

/** The share that a contender holds, and the tokens that it takes for it. */
export interface HeldPerToken {
  readonly contender: string;
  /** Mean of `heldMetrics`, from 0 to 1. */
  readonly held: number;
  /** Tokens of the context, as a share of the whole conversation so far. */
  readonly kept: number;
  /** `held` / `kept`. At most 1 without compaction. */
  readonly perToken: number;
  /** The contender with the same core keeper that holds most in no more tokens; null if none holds more. */
  readonly beatenBy: string | null;
}

/** Goal, rules, the next action and names: the purposes of a context. Equal weights. */
export const heldMetrics = ['goal-survival', 'constraint-recall', 'alignment', 'artifact-recall'] as const;

/** Most per token first. Leaves out contenders that compacted nothing. */
export function heldPerToken(report: Measurements): HeldPerToken[] {
  const measured = report.contenders.flatMap((contender) => measure(report, contender));
  return measured
    .map(({ core, ...own }) => ({
      ...own,
      beatenBy: strongest(measured.filter((other) => other.core === core && beats(other, own)))?.contender ?? null,
    }))
    .sort((a, b) => b.perToken - a.perToken);
}

type Measured = Omit<HeldPerToken, 'beatenBy'> & Pick<ContenderInReport, 'core'>;

function measure(report: Measurements, { key, core }: ContenderInReport): Measured[] {
  const mean = (metric: MetricId) =>
    report.cells.find((cell) => cell.contender === key && cell.metric === metric && cell.compaction === null)?.estimate
      ?.mean;
  const kept = mean('tokens-kept');
  const values = heldMetrics.flatMap((metric) => mean(metric) ?? []);
  if (kept === undefined || kept === 0 || values.length < heldMetrics.length) return [];
  const held = values.reduce((sum, value) => sum + value, 0) / values.length;
  return [{ contender: key, core, held, kept, perToken: held / kept }];
}

function beats(other: Measured, own: Pick<Measured, 'held' | 'kept'>): boolean {
  return other.held > own.held && other.kept <= own.kept;
}

function strongest(contenders: readonly Measured[]): Measured | undefined {
  return contenders.toSorted((a, b) => b.held - a.held)[0];
}
