import type { Line } from './outline';

/** The first line that shows an entry: its row, or the first of the rows of a reply; -1 where there is none. */
export function lineOfEntry(lines: readonly Pick<Line, 'row'>[], entryId: string): number {
  return lines.findIndex(({ row }) => row.key === entryId || row.key.startsWith(`${entryId}#`));
}
