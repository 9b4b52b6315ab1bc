import type { Line } from '../adapter';
import { asCount, asName, asRecord, type JsonRecord } from '../records/json';
import { readLine } from '../records/line';
import type { Rollouts } from './rollouts';

/** What a fork shares with the session that it was forked from: so much of that one's file. */
export interface Beginning {
  readonly file: string;
  readonly lines: Iterable<Line>;
}

/**
 * Where a session's history begins that refers to another one's (`history_base`): that one's lines, and before them the
 * lines that it refers to itself. Null where one of the files is not found.
 */
export function beginningsOf(session: JsonRecord, rollouts: Rollouts): Beginning[] | null {
  const beginnings: Beginning[] = [];
  let base = asRecord(session.history_base);
  while (base !== null) {
    const file = rollouts.find(asName(base.thread_id) ?? '');
    const lines = file === null ? null : rollouts.linesBefore(file, asCount(base.end_byte_offset) ?? 0);
    if (file === null || lines === null || beginnings.some((known) => known.file === file)) return null;
    beginnings.unshift({ file, lines });
    base = asRecord(firstPayload(lines)?.history_base);
  }
  return beginnings;
}

function firstPayload(lines: Iterable<Line>): JsonRecord | null {
  for (const line of lines) {
    const reading = readLine(line);
    return reading.kind === 'record' ? asRecord(reading.record.payload) : null;
  }
  return null;
}
