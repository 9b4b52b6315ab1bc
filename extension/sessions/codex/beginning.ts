import { asCount, asName, asRecord, type JsonRecord } from '../records/json';
import { type Line, readLine } from '../records/line';
import type { Rollouts } from './rollouts';

/** What a fork shares with the session that it was forked from, or a segment with the ones before it: a file's start. */
export interface Beginning {
  readonly file: string;
  readonly lines: Iterable<Line>;
}

export type Beginnings =
  | { readonly kind: 'found'; readonly beginnings: readonly Beginning[] }
  | { readonly kind: 'not-found' | 'too-long' };

/** Bytes of all beginnings together: they are read at once, while the person waits. */
const longestBeginnings = 128 * 1024 * 1024;

/**
 * Where a session's history begins that refers to another file (`history_base`): that one's lines, and before them the
 * lines that it refers to itself.
 */
export function beginningsOf(session: JsonRecord, rollouts: Rollouts): Beginnings {
  const beginnings: Beginning[] = [];
  const files = new Set<string>();
  let bytes = 0;
  let base = asRecord(session.history_base);
  while (base !== null) {
    const end = asCount(base.end_byte_offset) ?? 0;
    bytes += end;
    if (bytes > longestBeginnings) return { kind: 'too-long' };
    const file = rollouts.findSegment(asName(base.thread_id) ?? '');
    const lines = file === null || files.has(file) ? null : rollouts.linesBefore(file, end);
    if (file === null || lines === null) return { kind: 'not-found' };
    files.add(file);
    beginnings.push({ file, lines });
    base = asRecord(firstPayload(lines)?.history_base);
  }
  return { kind: 'found', beginnings: beginnings.reverse() };
}

/** For a person: why what came before a session is not there. */
export function reasonWithout({ kind }: Exclude<Beginnings, { kind: 'found' }>): string {
  const where = 'in the file of the session that it was forked from';
  return kind === 'not-found' ? `${where}, which is not found` : `${where}, of which too much would have to be read`;
}

function firstPayload(lines: Iterable<Line>): JsonRecord | null {
  for (const line of lines) {
    const reading = readLine(line);
    return reading.kind === 'record' ? asRecord(reading.record.payload) : null;
  }
  return null;
}
