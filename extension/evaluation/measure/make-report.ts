import type { EvaluationResults } from './evaluation-results';
import { type MetricId, metricIds, metricOf } from './metrics';
import {
  baseline,
  type ContenderInReport,
  type Difference,
  type EvaluationReport,
  type MetricCell,
  type ReportFilter,
  type ReportPoint,
} from './report';
import { type BoundaryResult, type ContenderId, contenderKey, type UnitId, type UnitLine, unitKey } from './results';
import { scoresOf, unusableIn } from './scores';
import { meanWithInterval, type Sample, verdictOf as verdictOfInterval } from './statistics';
import { inOrderOfRun } from './units';
import { verdictOf } from './verdict';

/** Computes all numbers of the dashboard. Deterministic; time linear in the results. */
export function reportOf(results: EvaluationResults, filter: ReportFilter = {}): EvaluationReport {
  const { header } = results;
  const units = inOrderOfRun(results.units, header.settings);
  const chosen = units.filter((unit) => isChosen(unit, filter));
  const found = chosen.flatMap((unit) => boundariesOf(unit, filter));
  const points = found.map(({ unit, boundary }) => pointOf(unit, boundary));
  const contenders = header.settings.contenders.map((id) => contenderInReport(id, found));
  const compactions = [...new Set(points.map(({ compaction }) => compaction))].sort((a, b) => a - b);
  const byContender = Map.groupBy(points, ({ contender }) => contender);
  const cells = contenders.flatMap(({ key }) => cellsOf(key, byContender.get(key) ?? [], compactions));
  const differences = contenders.flatMap((contender) => differencesOf(contender, contenders, byContender));
  return {
    settings: header.settings,
    madeWith: header.madeWith,
    time: header.time,
    units: { done: units.length, of: header.units },
    unusable: contenders.reduce((total, { unusable }) => total + unusable, 0),
    contenders,
    tasks: distinct(units.map(({ task: name, taskTitle: title, taskKind: kind }) => ({ name, title, kind }))),
    seeds: [...new Set(units.map(({ seed }) => seed))].sort((a, b) => a - b),
    compactions: [...new Set(units.flatMap(({ boundaries }) => boundaries.map(({ compaction }) => compaction)))].sort(
      (a, b) => a - b,
    ),
    cells,
    differences,
    points,
    verdict: verdictOf({ contenders, cells, differences }),
  };
}

function isChosen({ task, taskKind, seed }: UnitLine, { tasks, kinds, seeds }: ReportFilter): boolean {
  return (tasks?.includes(task) ?? true) && (kinds?.includes(taskKind) ?? true) && (seeds?.includes(seed) ?? true);
}

function boundariesOf(unit: UnitLine, { compactions }: ReportFilter): FoundBoundary[] {
  return unit.boundaries
    .filter(({ compaction }) => compactions?.includes(compaction) ?? true)
    .map((boundary) => ({ unit, boundary }));
}

function contenderInReport(id: ContenderId, found: readonly FoundBoundary[]): ContenderInReport {
  const key = contenderKey(id);
  const own = found.filter(({ unit }) => contenderKey(unit.contender) === key).map(({ boundary }) => boundary);
  return {
    ...id,
    key,
    boundaries: own.length,
    uncompacted: own.filter(({ cost }) => !cost.isCompacted).length,
    unusable: own.reduce((total, boundary) => total + unusableIn(boundary), 0),
  };
}

export function pointOf(unit: UnitLine, boundary: BoundaryResult): ReportPoint {
  const { task, seed, contender } = unit;
  const { compaction } = boundary;
  const id = pointId(unit, compaction);
  return { id, contender: contenderKey(contender), task, seed, compaction, scores: scoresOf(boundary) };
}

function pointId(unit: UnitId, compaction: number): string {
  return `${unitKey(unit)} ${compaction}`;
}

interface FoundBoundary {
  readonly unit: UnitLine;
  readonly boundary: BoundaryResult;
}

export function boundaryOf({ units }: EvaluationResults, id: string): FoundBoundary | null {
  for (const unit of units) {
    const boundary = unit.boundaries.find(({ compaction }) => pointId(unit, compaction) === id);
    if (boundary) return { unit, boundary };
  }
  return null;
}

function cellsOf(contender: string, points: readonly ReportPoint[], compactions: readonly number[]): MetricCell[] {
  return metricIds.flatMap((metric) =>
    [null, ...compactions].map((compaction): MetricCell => {
      const among = compaction === null ? points : points.filter((point) => point.compaction === compaction);
      return { contender, metric, compaction, estimate: meanWithInterval(samplesOf(among, metric)) };
    }),
  );
}

function samplesOf(points: readonly ReportPoint[], metric: MetricId): Sample[] {
  return points.flatMap(({ task, scores }) => {
    const value = scores[metric];
    return value === undefined ? [] : [{ cluster: task, value }];
  });
}

/** Compares a contender with the baseline, and one with a core with the same strategy without it. */
function differencesOf(
  { key, strategy, core }: ContenderInReport,
  all: readonly ContenderInReport[],
  points: ReadonlyMap<string, readonly ReportPoint[]>,
): Difference[] {
  const bare = contenderKey({ strategy, core: 'none' });
  const others = new Set([baseline, ...(core === 'none' ? [] : [bare])]);
  others.delete(key);
  return all
    .filter((other) => others.has(other.key))
    .flatMap((other) =>
      metricIds.flatMap((id): Difference[] => {
        const samples = pairedSamples(points.get(key) ?? [], points.get(other.key) ?? [], id);
        const estimate = meanWithInterval(samples);
        if (!estimate) return [];
        return [
          {
            contender: key,
            against: other.key,
            metric: id,
            estimate,
            verdict: verdictOfInterval(estimate, metricOf[id].better),
          },
        ];
      }),
    );
}

/** Pairs values of the same task, seed and compaction. */
function pairedSamples(points: readonly ReportPoint[], others: readonly ReportPoint[], metric: MetricId): Sample[] {
  const placeOf = ({ task, seed, compaction }: ReportPoint) => `${task} ${seed} ${compaction}`;
  const byPlace = new Map(others.map((point) => [placeOf(point), point.scores[metric]]));
  return points.flatMap((point) => {
    const [one, other] = [point.scores[metric], byPlace.get(placeOf(point))];
    return one === undefined || other === undefined ? [] : [{ cluster: point.task, value: one - other }];
  });
}

function distinct<T extends { readonly name: string }>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [item.name, item])).values()];
}
