import type { Line } from './outline';

/** Index of the first line that shows an entry: its row, or the first row of a reply; -1 if there is none. */
export function lineOfEntry(lines: readonly Pick<Line, 'row'>[], entryId: string): number {
  return lines.findIndex(({ row }) => row.key === entryId || row.key.startsWith(`${entryId}#`));
}
