import type { Entry } from '../../../engine/conversation/entry';
import { ForkRefused } from '../../fork/fork-format';
import { asName, asRecord, type JsonRecord } from '../../records/json';
import { type Line, readLine } from '../../records/line';
import { contentParts } from '../content';

interface Place {
  readonly line: number;
  readonly parent: Place | null;
}

/** The lines of the records that lead to this prompt. */
export async function branchBefore(prompt: Entry, lines: AsyncIterable<Line>): Promise<ReadonlySet<number>> {
  const byId = new Map<string, Place>();
  let newest: Place | null = null;
  for await (const line of lines) {
    const reading = readLine(line);
    if (reading.kind !== 'record' || reading.record.type === 'session') continue;
    const { id, parentId } = reading.record;
    const parent: Place | null = parentId === undefined ? newest : (byId.get(asName(parentId) ?? '') ?? null);
    newest = { line: line.number, parent };
    byId.set(asName(id) ?? `line-${line.number}`, newest);
    if (line.number === prompt.origin.line && says(reading.record, prompt)) return pathTo(parent);
    if (line.number >= prompt.origin.line) break;
  }
  throw new ForkRefused('The session has changed: this prompt is no longer where it was read. Nothing was written.');
}

/** Copies of an id are told apart by what stands behind it. Version 1 has no ids: there it takes the same words. */
function says(record: JsonRecord, { id, parts }: Entry): boolean {
  const ownId = asName(record.id);
  if (ownId !== null) return id === ownId || id.startsWith(`${ownId}#`);
  const content = asRecord(record.message)?.content;
  return JSON.stringify(contentParts(content)) === JSON.stringify(parts);
}

function pathTo(leaf: Place | null): Set<number> {
  const lines = new Set<number>();
  // A parent stands before its child, so the path has an end.
  for (let place = leaf; place !== null; place = place.parent) lines.add(place.line);
  return lines;
}
