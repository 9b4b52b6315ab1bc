import * as s from '../../../platform/json/schemas';
import { type Line, recordsIn } from '../../../platform/lines/line';
import { type ForkPiece, linesOfPieces } from '../../../sessions/fork/fork-format';
import { isInTree } from '../format/tree-row';

const rowRecord = s.record({ uuid: s.name, isSidechain: s.flag, message: s.record({ id: s.name }) });

/** The recorded rows of the entries to copy. */
export interface OriginalRows {
  /** The rows of an entry, by the line of its first row. */
  readonly rows: ReadonlyMap<number, readonly s.JsonRecord[]>;
  /** The newest row of the conversation; the source of the fields that its version writes into every row. */
  readonly newest: s.JsonRecord | null;
}

export async function recordsOfPieces(pieces: readonly ForkPiece[], lines: AsyncIterable<Line>): Promise<OriginalRows> {
  const wanted = linesOfPieces(pieces);
  const rows = new Map<number, s.JsonRecord[]>();
  const replies = new Map<string, s.JsonRecord[]>();
  const uuids = new Set<string>();
  let newest: s.JsonRecord | null = null;
  for await (const { record, line } of recordsIn(lines)) {
    const { uuid, isSidechain, message } = s.read(rowRecord, record);
    if (isSidechain) continue;
    if (uuid !== null && record.parentUuid !== undefined) newest = record;
    const messageId = record.type === 'assistant' ? message.id : null;
    // A row with a repeated uuid is a separate reply.
    const isCopy = uuid !== null && uuids.has(uuid);
    if (uuid !== null) uuids.add(uuid);
    const reply = messageId === null || isCopy ? undefined : replies.get(messageId);
    if (reply !== undefined) reply.push(record);
    else if (wanted.has(line.number) && isInTree(record)) {
      const own = [record];
      rows.set(line.number, own);
      if (messageId !== null && !isCopy) replies.set(messageId, own);
    }
  }
  return { rows, newest };
}
