import type { Row } from '../../../extension/protocol/view';
import type { Line } from './outline';

/** The session's rows before and after a change, and the lines that show them now. */
interface ChangedRows {
  readonly now: readonly Row[];
  readonly before: readonly Row[];
  readonly lines: () => readonly Line[];
}

/**
 * The line itself if its row still exists; the row, if it left its block; or else the line now at its place. Null if there are no lines.
 */
export function standInFor(lineKey: string, { now, before, lines }: ChangedRows): string | null {
  const [topKey, ...beneath] = lineKey.split('>');
  const isAmong = (rows: readonly Row[]) => rows.some(({ key }) => key === topKey);
  // A row that was never loaded may still arrive: earlier rows are loaded after the newest ones.
  if (topKey === undefined || isAmong(now) || !isAmong(before)) return lineKey;
  const places = new Map(now.map(({ key }, index) => [key, index]));
  const freed = beneath.findLast((key) => places.has(key));
  return freed ?? lineFrom(now.slice(formerPlaceOf(topKey, before, places)), lines());
}

/** Former place of a removed row: after the nearest preceding row that still exists. */
function formerPlaceOf(goneKey: string, before: readonly Row[], places: ReadonlyMap<string, number>): number {
  let index = before.findIndex(({ key }) => key === goneKey);
  while (index >= 0 && !places.has(before[index]?.key ?? '')) index -= 1;
  return index < 0 ? 0 : (places.get(before[index]?.key ?? '') ?? 0) + 1;
}

/** The first line of these rows, or else the last line. */
function lineFrom(rows: readonly Row[], lines: readonly Line[]): string | null {
  const shown = new Set(lines.map(({ key }) => key));
  return rows.find(({ key }) => shown.has(key))?.key ?? lines.at(-1)?.key ?? null;
}
