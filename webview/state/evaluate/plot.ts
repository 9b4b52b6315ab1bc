import type { MetricId } from '../../../extension/evaluation/measure/metrics';
import type { Estimate, EvaluationReport, MetricCell } from '../../../extension/evaluation/measure/report';
import type { ContenderView } from './contenders';

/** One mark of a chart: the result of one contender after one compaction or over all of them. */
export interface PlotMark {
  readonly id: string;
  readonly contender: ContenderView;
  readonly compaction: number | null;
  readonly x: Estimate | null;
  readonly y: Estimate;
  /** Position in the units of the axes. */
  readonly at: { readonly x: number; readonly y: number };
}

/** The cells of a report by metric, contender and compaction. */
export class Cells {
  readonly #cells: ReadonlyMap<string, MetricCell>;

  constructor(report: Pick<EvaluationReport, 'cells'>) {
    this.#cells = new Map(report.cells.map((cell) => [keyOf(cell.contender, cell.metric, cell.compaction), cell]));
  }

  estimate(contender: string, metric: MetricId, compaction: number | null = null): Estimate | null {
    return this.#cells.get(keyOf(contender, metric, compaction))?.estimate ?? null;
  }

  /** Whether there is any value for the metric: a run without a judge has no ratings. */
  has(metric: MetricId): boolean {
    return [...this.#cells.values()].some((cell) => cell.metric === metric && cell.estimate !== null);
  }
}

function keyOf(contender: string, metric: MetricId, compaction: number | null): string {
  return `${contender} ${metric} ${compaction ?? ''}`;
}

/** One line per contender over the compactions with values. */
export function survivalMarks(
  cells: Cells,
  contenders: readonly ContenderView[],
  compactions: readonly number[],
  metric: MetricId,
): readonly PlotMark[] {
  return contenders.flatMap((contender) =>
    compactions.flatMap((compaction): PlotMark[] => {
      const y = cells.estimate(contender.key, metric, compaction);
      if (!y) return [];
      const id = `${contender.key} ${compaction}`;
      return [{ id, contender, compaction, x: null, y, at: { x: compaction, y: y.mean } }];
    }),
  );
}

/** One mark per contender: tokens kept against quality. */
export function efficiencyMarks(
  cells: Cells,
  contenders: readonly ContenderView[],
  metric: MetricId,
): readonly PlotMark[] {
  return contenders.flatMap((contender): PlotMark[] => {
    const [x, y] = [cells.estimate(contender.key, 'tokens-kept'), cells.estimate(contender.key, metric)];
    if (!x || !y) return [];
    return [{ id: contender.key, contender, compaction: null, x, y, at: { x: x.mean, y: y.mean } }];
  });
}

type Direction = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

/**
 * The mark that an arrow key moves to: left and right along the contender's own line if it has one, up and down between
 * marks above each other; else the next mark in that direction. Null: the key moves nowhere.
 */
export function nextMark(key: string, marks: readonly PlotMark[], current: PlotMark): PlotMark | null {
  if (key === 'Home') return marks[0] ?? null;
  if (key === 'End') return marks.at(-1) ?? null;
  if (!isDirection(key)) return null;
  const isSideways = key === 'ArrowLeft' || key === 'ArrowRight';
  const along = marks.filter((mark) => isAlong(mark, current, isSideways));
  const ordered = along.sort((a, b) => (isSideways ? a.at.x - b.at.x : a.at.y - b.at.y));
  const step = key === 'ArrowRight' || key === 'ArrowUp' ? 1 : -1;
  return ordered[ordered.indexOf(current) + step] ?? null;
}

function isAlong(mark: PlotMark, current: PlotMark, isSideways: boolean): boolean {
  if (current.compaction === null) return true;
  return isSideways ? mark.contender.key === current.contender.key : mark.compaction === current.compaction;
}

function isDirection(key: string): key is Direction {
  return ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'].includes(key);
}
