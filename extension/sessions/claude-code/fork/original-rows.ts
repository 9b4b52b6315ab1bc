import type { ForkPiece } from '../../fork/fork-format';
import { asName, asRecord, type JsonRecord } from '../../records/json';
import { type Line, readLine } from '../../records/line';

/** What the file says of the entries that are to be written again, and of itself. */
export interface OriginalRows {
  /** The rows that an entry was made of, by the line of the first one. */
  readonly rows: ReadonlyMap<number, readonly JsonRecord[]>;
  /** The newest row of the conversation: what its version of the program writes into every row. */
  readonly newest: JsonRecord | null;
}

export async function recordsOfPieces(pieces: readonly ForkPiece[], lines: AsyncIterable<Line>): Promise<OriginalRows> {
  const wanted = new Set(pieces.flatMap((piece) => (piece.kind === 'text' ? [] : [piece.entry.origin.line])));
  const rows = new Map<number, JsonRecord[]>();
  const replies = new Map<string, JsonRecord[]>();
  const uuids = new Set<string>();
  let newest: JsonRecord | null = null;
  for await (const line of lines) {
    const reading = readLine(line);
    if (reading.kind !== 'record' || reading.record.isSidechain === true) continue;
    const { record } = reading;
    const uuid = asName(record.uuid);
    if (uuid !== null && record.parentUuid !== undefined) newest = record;
    const messageId = record.type === 'assistant' ? asName(asRecord(record.message)?.id) : null;
    // A row whose uuid was there before is a reply of its own.
    const isCopy = uuid !== null && uuids.has(uuid);
    if (uuid !== null) uuids.add(uuid);
    const reply = messageId === null || isCopy ? undefined : replies.get(messageId);
    if (reply !== undefined) reply.push(record);
    else if (wanted.has(line.number)) {
      const own = [record];
      rows.set(line.number, own);
      if (messageId !== null && !isCopy) replies.set(messageId, own);
    }
  }
  return { rows, newest };
}
