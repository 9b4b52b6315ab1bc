import type { CompactionView, HistoryMark, StrategyView } from '../../../extension/protocol/view';
import { t } from '../../l10n';
import { compactionName } from '../compactions/compaction-text';
import { stratumOf } from '../timeline/row-text';

/** Determines the colour of a compaction. */
export type MarkKind = 'goal_batch' | 'summary' | 'fork' | 'agent' | 'excluded';

export const markKindWords: Readonly<Record<MarkKind, string>> = {
  goal_batch: t('goal batch'),
  summary: t('summary'),
  fork: t('by Strata, in the fork'),
  agent: t('by the agent'),
  excluded: t('excluded'),
};

export interface ChartMark {
  readonly mark: HistoryMark;
  readonly kind: MarkKind;
  /** `#3 Goal batch` */
  readonly label: string;
}

/** Oldest first. History and list are updated separately, so a mark can exist without its row. */
export function chartMarks(
  marks: readonly HistoryMark[],
  compactions: readonly CompactionView[],
  strategies: readonly StrategyView[],
): readonly ChartMark[] {
  const rows = new Map(compactions.map((compaction) => [compaction.id, compaction]));
  return [...marks]
    .sort((a, b) => a.at - b.at)
    .map((mark) => {
      const row = rows.get(mark.id);
      return { mark, kind: markKind(mark, row), label: markLabel(mark, row, strategies) };
    });
}

function markKind(mark: HistoryMark, row: CompactionView | undefined): MarkKind {
  if (row?.excludes) return 'excluded';
  if (row?.inFork) return 'fork';
  if (mark.id.startsWith('agent:')) return 'agent';
  return stratumOf(mark.tag);
}

function markLabel(mark: HistoryMark, row: CompactionView | undefined, strategies: readonly StrategyView[]): string {
  return row ? compactionName(row, t('the agent'), strategies) : mark.tag;
}

export function markOf(id: string | null, marks: readonly ChartMark[]): ChartMark | null {
  return marks.find(({ mark }) => mark.id === id) ?? null;
}

export interface MarkPlace {
  readonly id: string;
  readonly x: number;
  readonly y: number;
}

/** Pixels around a mark that still belong to it. */
const touch = 16;

/** The mark nearest to the pointer, among those within reach. */
export function markAt(places: readonly MarkPlace[], x: number, y: number): MarkPlace | null {
  const near = places
    .filter((place) => Math.abs(place.x - x) <= touch)
    .map((place) => ({ place, distance: Math.hypot(place.x - x, place.y - y) }))
    .sort((a, b) => a.distance - b.distance);
  return near[0]?.place ?? null;
}
