import type { EvaluationResults } from '../../extension/evaluation/measure/evaluation-results';
import { pointOf } from '../../extension/evaluation/measure/make-report';
import type { MetricId } from '../../extension/evaluation/measure/metrics';
import type { Estimate } from '../../extension/evaluation/measure/report';
import { type BoundaryResult, contenderKey, type UnitLine } from '../../extension/evaluation/measure/results';
import { meanWithInterval, minClusters, type Sample } from '../../extension/evaluation/measure/statistics';
import type { ActVerdict, JudgedAct } from './open-acts';
import type { Mark } from './second-reading';

/** The model calls for the summaries of one unit, over all its compactions. */
export interface WritingCost {
  readonly unit: string;
  readonly calls: number;
  readonly input: number;
  readonly output: number;
}

/** All findings of the study. The tables and the figure show nothing else. */
export interface StudyFindings {
  readonly results: EvaluationResults;
  readonly costs: readonly WritingCost[];
  /** The marks of both readers. */
  readonly marks: readonly (readonly Mark[])[];
  /** The verdicts of both readers, after the last compaction. */
  readonly acts: readonly (readonly JudgedAct[])[];
}

/** Number of the last probed compaction. */
export const lastCompaction = 3;

/** Measures of a context, each from 0 to 1. `held` is their mean, including the acts if they were judged. */
export const heldMetrics = ['goal-survival', 'constraint-recall', 'settled-recall'] as const;

/** The contenders that were played on every task, in the order of the settings. Tables contain no others. */
export function wholeContenders({ results: { header, units } }: Pick<StudyFindings, 'results'>): string[] {
  const { tasks, contenders } = header.settings;
  return contenders
    .map(contenderKey)
    .filter((key) => units.filter((unit) => contenderKey(unit.contender) === key).length === tasks.length);
}

export type Quantity = MetricId | 'held' | 'tokens' | 'coherence' | 'acts';

/** A value at one boundary. */
export type Value = (unit: UnitLine, boundary: BoundaryResult) => number | undefined;

export function quantityIn(quantity: Quantity, { marks, acts }: Pick<StudyFindings, 'marks' | 'acts'>): Value {
  if (quantity === 'tokens') return (_, { after }) => after.tokens;
  const rightActs: Value = (unit, { compaction }) => rightShare(acts, unit, compaction);
  if (quantity === 'acts') return rightActs;
  if (quantity === 'held') return (unit, boundary) => heldAt(unit, boundary, rightActs(unit, boundary));
  if (quantity === 'coherence') return (unit, { compaction }) => meanMark(marks, unit, compaction);
  return (unit, boundary) => pointOf(unit, boundary).scores[quantity];
}

function heldAt(unit: UnitLine, boundary: BoundaryResult, acts: number | undefined): number | undefined {
  const { scores } = pointOf(unit, boundary);
  const values = [...heldMetrics.flatMap((metric) => scores[metric] ?? []), ...(acts === undefined ? [] : [acts])];
  return values.length === 0 ? undefined : meanOf(values);
}

/** Share of right acts in one unit, over both readers. */
function rightShare(
  acts: StudyFindings['acts'],
  { task, contender }: UnitLine,
  compaction: number,
): number | undefined {
  if (compaction !== lastCompaction) return undefined;
  const own = acts.flat().filter((act) => act.task === task && act.contender === contenderKey(contender));
  return own.length === 0 ? undefined : meanOf(own.map(({ verdict }) => Number(verdict === 'right')));
}

function meanMark(
  marks: StudyFindings['marks'],
  { task, contender }: UnitLine,
  compaction: number,
): number | undefined {
  const own = marks
    .flat()
    .filter(
      (mark) => mark.task === task && mark.contender === contenderKey(contender) && mark.compaction === compaction,
    );
  return own.length === 0 ? undefined : meanOf(own.map(({ mark }) => mark));
}

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Values of a contender after one compaction, or after all of them. */
export function samplesOf(
  { results }: Pick<StudyFindings, 'results'>,
  contender: string,
  value: Value,
  compaction: number | null,
): Sample[] {
  return results.units
    .filter((unit) => contenderKey(unit.contender) === contender)
    .flatMap((unit) =>
      unit.boundaries
        .filter((boundary) => compaction === null || boundary.compaction === compaction)
        .flatMap((boundary) => {
          const found = value(unit, boundary);
          return found === undefined ? [] : [{ cluster: unit.task, value: found }];
        }),
    );
}

export interface Comparison {
  readonly contender: string;
  readonly against: string;
  readonly quantity: Quantity;
  /** `contender` minus `against`, paired by task and compaction. */
  readonly estimate: Estimate;
  /** Whether the interval excludes 0 and there are enough tasks. */
  readonly isClear: boolean;
}

/** Null if the two have no boundary in common. */
export function compare(
  findings: StudyFindings,
  contender: string,
  against: string,
  quantity: Quantity,
  compaction: number | null,
): Comparison | null {
  const value = quantityIn(quantity, findings);
  const unitsBy = (key: string) => findings.results.units.filter((unit) => contenderKey(unit.contender) === key);
  const others = unitsBy(against);
  const samples = unitsBy(contender).flatMap((unit) =>
    unit.boundaries.flatMap((boundary): Sample[] => {
      if (compaction !== null && boundary.compaction !== compaction) return [];
      const other = others.find(({ task }) => task === unit.task);
      const otherBoundary = other?.boundaries.find((each) => each.compaction === boundary.compaction);
      const one = value(unit, boundary);
      const two = other && otherBoundary && value(other, otherBoundary);
      return one === undefined || two === undefined ? [] : [{ cluster: unit.task, value: one - two }];
    }),
  );
  const estimate = meanWithInterval(samples);
  if (!estimate) return null;
  const isClear = estimate.tasks >= minClusters && (estimate.low > 0 || estimate.high < 0);
  return { contender, against, quantity, estimate, isClear };
}

/**
 * The share of what was there after the first compaction that each later one lost, from 0 to 1; null if nothing was
 * there.
 */
export function lostPerCompaction(first: number, last: number, compactions: number): number | null {
  return first === 0 ? null : 1 - (last / first) ** (1 / compactions);
}

/** Recall of the rules that were in force after the first compaction and still are after the last. */
export function earlyRules({ boundaries }: UnitLine): {
  readonly first: number;
  readonly last: number;
  readonly of: number;
} {
  const [first, last] = [boundaries[0], boundaries.find(({ compaction }) => compaction === lastCompaction)];
  const early = new Map(first?.after.constraints.truth.map(({ said, isRecalled }) => [said, isRecalled]));
  const both = (last?.after.constraints.truth ?? []).filter(({ said }) => early.has(said));
  return {
    first: both.filter(({ said }) => early.get(said)).length,
    last: both.filter(({ isRecalled }) => isRecalled).length,
    of: both.length,
  };
}

/** The number of times each verdict was given on a contender's acts, over both readers. */
export function verdictsOn({ acts }: Pick<StudyFindings, 'acts'>, contender: string): ReadonlyMap<ActVerdict, number> {
  const counts = new Map<ActVerdict, number>();
  for (const act of acts.flat())
    if (act.contender === contender) counts.set(act.verdict, (counts.get(act.verdict) ?? 0) + 1);
  return counts;
}
