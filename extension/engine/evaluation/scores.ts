import type { MetricId } from './report';
import type { ActionProbe, BoundaryResult, UnitLine } from './results';
import type { Verdict } from './tasks/task';

export type Scores = Partial<Record<MetricId, number>>;

/** One boundary as numbers. What was not measured, or could not be used, has none. */
export function scoresOf({ after, cost, isDrift }: BoundaryResult): Scores {
  const { goal, constraints, actions, artifacts } = after;
  const usable = actions.filter(({ unusable }) => unusable === null);
  const ratings = usable.flatMap(({ rating }) => rating ?? []);
  const { truth, stale, unusable } = constraints;
  const attacked = truth.filter(({ isAttacked }) => isAttacked);
  return {
    ...(goal.unusable === null
      ? { 'goal-survival': Number(goal.isTold), 'goal-coherence': goal.coherence, 'drift-events': Number(isDrift) }
      : {}),
    ...share('constraint-recall', unusable === null ? truth.map(({ isRecalled }) => isRecalled) : []),
    ...share('attacked-recall', unusable === null ? attacked.map(({ isRecalled }) => isRecalled) : []),
    ...share(
      'constraints-held',
      truth.map(({ isHeld }) => isHeld),
    ),
    ...(unusable === null ? { 'stale-constraints': stale.length / (truth.length + stale.length || 1) } : {}),
    ...average('alignment', usable.map(likelihoodOf('aligned'))),
    ...average('violations', usable.map(likelihoodOf('violates'))),
    ...average('revivals', usable.map(likelihoodOf('revives'))),
    ...average(
      'restarts',
      usable.map((probe) => likelihoodOf('restarts')(probe) + likelihoodOf('repeats')(probe)),
    ),
    ...average('rating', ratings),
    ...(artifacts.of > 0 ? { 'artifact-recall': artifacts.held / artifacts.of } : {}),
    'tokens-kept': cost.tokensAfter / cost.tokensSaid,
    'tokens-spent': cost.spent.input + cost.spent.output,
    duration: cost.durationMs,
  };
}

function share(metric: MetricId, hits: readonly boolean[]): Scores {
  return average(metric, hits.map(Number));
}

function average(metric: MetricId, values: readonly number[]): Scores {
  return values.length === 0 ? {} : { [metric]: values.reduce((sum, value) => sum + value, 0) / values.length };
}

function likelihoodOf(verdict: Verdict): (probe: ActionProbe) => number {
  return ({ options }) =>
    options.filter((option) => option.verdict === verdict).reduce((sum, { likelihood }) => sum + likelihood, 0);
}

/** Probes of a unit, after its compactions, whose answers are in no number. */
export function unusableIn({ boundaries }: UnitLine): number {
  return boundaries
    .flatMap(({ after: { goal, constraints, actions } }) => [goal, constraints, ...actions])
    .filter(({ unusable }) => unusable !== null).length;
}
