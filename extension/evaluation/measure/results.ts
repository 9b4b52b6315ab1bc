import type { Parsed } from './parsed';
import type * as schema from './results-schema';

/** Version of the results format. Increase it when an older Strata could misread newer results. */
export const resultsVersion = 1;

export type CoreKeeper = (typeof schema.coreKeepers)[number];
export type ContenderId = Parsed<typeof schema.contender>;
export type RespondentId = Parsed<typeof schema.respondent>;
export type EvaluationSettings = Parsed<typeof schema.settings>;
export type HeaderLine = Parsed<typeof schema.header>;
export type UnitId = Parsed<typeof schema.unitId>;
export type UnitLine = Parsed<typeof schema.unit>;
export type ResultLine = Parsed<typeof schema.resultLine>;
export type BoundaryResult = Parsed<typeof schema.boundary>;
export type CompactionCost = Parsed<typeof schema.cost>;
export type Reading = Parsed<typeof schema.reading>;
export type ContextLine = Parsed<typeof schema.contextLine>;
export type GoalProbe = Parsed<typeof schema.goalProbe>;
export type ConstraintProbe = Parsed<typeof schema.constraintProbe>;
export type TruthOfConstraint = Parsed<typeof schema.truthOfConstraint>;
export type RecallResult = Parsed<typeof schema.recallResult>;
export type RecalledTruth = Parsed<typeof schema.recalledTruth>;
export type ActionProbe = Parsed<typeof schema.actionProbe>;
export type OptionResult = Parsed<typeof schema.option>;

export function unitKey({ task, seed, contender }: UnitId): string {
  return `${task} ${seed} ${contenderKey(contender)}`;
}

/** The form for reports and the command line: `checkpoint`, `checkpoint+proposed`. */
export function contenderKey({ strategy, core }: ContenderId): string {
  return core === 'none' ? strategy : `${strategy}+${core}`;
}
