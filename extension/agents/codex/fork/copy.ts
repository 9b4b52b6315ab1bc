import type { Entry } from '../../../engine/conversation/entry';
import { localizable } from '../../../engine/wording/localizable-text';
import * as s from '../../../platform/json/schemas';
import { type Line, readLine, recordsIn } from '../../../platform/lines/line';
import { type CopyOrder, ForkRefused } from '../../../sessions/fork/fork-format';
import { recordLine } from '../../../sessions/fork/mended-lines';
import { type Beginning, beginningsOf, reasonWithout } from '../format/beginning';
import { readItem } from '../format/items';
import { rolloutsBeside } from '../format/rollouts';

/** A record, and what is needed to write it again. */
interface Recorded {
  readonly record: s.JsonRecord;
  readonly file: string;
  readonly line: number;
}

/**
 * Copies a session, including the records of other files that it refers to, so that the copy depends on no other file.
 * Records get new ordinals, because broken lines are not copied.
 */
export async function* copy({ original, place, lines, before, chance }: CopyOrder): AsyncIterable<string> {
  let ordinal = 0;
  let first: s.JsonRecord | null = null;
  for await (const { record } of untilPrompt(allRecords(original.file, lines), before)) {
    if (first !== null && record.type === 'session_meta') continue;
    const renamed =
      first === null ? renamedSession(record, place.id, chance.now()) : withId(record, original.id, place.id);
    first ??= record;
    yield recordLine(typeof record.ordinal === 'number' ? { ...renamed, ordinal } : renamed);
    ordinal += 1;
  }
}

async function* allRecords(file: string, lines: () => AsyncIterable<Line>): AsyncIterable<Recorded> {
  let isFirst = true;
  for await (const { record, line } of recordsIn(lines())) {
    yield { record, file, line: line.number };
    if (isFirst) for (const beginning of beginnings(record, file)) yield* recordsBefore(beginning);
    isFirst = false;
  }
}

function beginnings(record: s.JsonRecord, file: string): readonly Beginning[] {
  const found = beginningsOf(payloadOf(record), rolloutsBeside(file));
  if (found.kind === 'found') return found.beginnings;
  throw new ForkRefused(reasonWithout(found));
}

function* recordsBefore({ file, lines }: Beginning): Iterable<Recorded> {
  for (const line of lines) {
    const reading = readLine(line);
    if (reading.kind === 'record') yield { record: reading.record, file, line: line.number };
  }
}

/**
 * The records before the prompt, without those that only open its turn. Before the first prompt, only the session
 * record remains: Codex sends its instructions again if no turn precedes.
 */
async function* untilPrompt(records: AsyncIterable<Recorded>, before: Entry | null): AsyncIterable<Recorded> {
  let opening: Recorded[] = [];
  let wasSaid = false;
  for await (const recorded of records) {
    if (isOrigin(recorded, before)) return;
    wasSaid ||= saysSomething(recorded.record);
    opening.push(recorded);
    if (recorded.record.type !== 'session_meta' && (!wasSaid || opensTurn(recorded.record, opening.length > 1)))
      continue;
    yield* opening;
    opening = [];
  }
  if (before !== null) throw new ForkRefused(localizable('The prompt is not among the records of this session.'));
  yield* opening;
}

function payloadOf({ payload }: s.JsonRecord): s.JsonRecord {
  return s.read(s.jsonRecord, payload) ?? {};
}

function saysSomething(record: s.JsonRecord): boolean {
  if (record.type === 'compacted') return true;
  if (record.type !== 'response_item') return false;
  const reading = readItem(payloadOf(record), { toolName: () => null, summary: null });
  return reading?.kind === 'message' ? reading.role === 'user' && !reading.injected : reading !== null;
}

function isOrigin({ file, line }: Recorded, entry: Entry | null): boolean {
  return entry !== null && entry.origin.line === line && entry.origin.file === file;
}

/** A `turn_context` outside a turn belongs to the end of a compaction. */
function opensTurn(record: s.JsonRecord, isOpening: boolean): boolean {
  if (record.type === 'turn_context') return isOpening;
  const { type } = payloadOf(record);
  return record.type === 'event_msg' && (type === 'task_started' || type === 'thread_settings_applied');
}

/** The session record of a fork: not a subagent, and without references to other files. */
function renamedSession(record: s.JsonRecord, id: string, now: Date): s.JsonRecord {
  const { parent_thread_id: _parent, history_base: _base, ...payload } = payloadOf(record);
  const isSubagent = s.isRecord(payload.source);
  return {
    ...record,
    timestamp: now.toISOString(),
    payload: {
      ...payload,
      id,
      ...(payload.session_id === undefined ? {} : { session_id: id }),
      ...(isSubagent ? { source: 'cli', thread_source: 'user' } : {}),
      forked_from_id: s.read(s.name, payload.id),
      timestamp: now.toISOString(),
    },
  };
}

/** Replaces the thread id that records contain. */
function withId(record: s.JsonRecord, from: string, to: string): s.JsonRecord {
  return s.read(s.jsonRecord, renamed(record, from, to, 0)) ?? record;
}

/** Maximum nesting depth of the thread id (`payload.latest_token_usage_record.thread_id`). */
const deepestId = 4;

function renamed(value: unknown, from: string, to: string, depth: number): unknown {
  if (!s.isRecord(value) || depth > deepestId) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, field]) =>
      (key === 'thread_id' || key === 'session_id') && field === from
        ? [key, to]
        : [key, renamed(field, from, to, depth + 1)],
    ),
  );
}
