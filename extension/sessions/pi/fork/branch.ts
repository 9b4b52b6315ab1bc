import type { Line } from '../../adapter';
import { asName } from '../../records/json';
import { readLine } from '../../records/line';

interface Place {
  readonly line: number;
  readonly parent: Place | null;
}

/** The lines of the records that lead to the one on this line. */
export async function branchBefore(end: number, lines: AsyncIterable<Line>): Promise<ReadonlySet<number>> {
  const byId = new Map<string, Place>();
  let newest: Place | null = null;
  for await (const line of lines) {
    const reading = readLine(line);
    if (reading.kind !== 'record' || reading.record.type === 'session') continue;
    const { id, parentId } = reading.record;
    const parent: Place | null = parentId === undefined ? newest : (byId.get(asName(parentId) ?? '') ?? null);
    newest = { line: line.number, parent };
    byId.set(asName(id) ?? `line-${line.number}`, newest);
    if (line.number >= end) return pathTo(parent);
  }
  return pathTo(newest);
}

function pathTo(leaf: Place | null): Set<number> {
  const lines = new Set<number>();
  // A parent stands before its child, so the path has an end.
  for (let place = leaf; place !== null; place = place.parent) lines.add(place.line);
  return lines;
}
