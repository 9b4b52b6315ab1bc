import { asCount, asName, asRecord, asText, type JsonRecord } from '../records/json';
import type { Database } from './sqlite';

/** A session as its row tells it, as far as it is read here. Columns that a version does not have are null. */
export interface SessionRow {
  readonly id: string;
  readonly parentId: string | null;
  readonly directory: string | null;
  readonly title: string | null;
  /** JSON: `{messageID, partID?}` while a person has gone back, and not yet gone on from there. */
  readonly revert: string | null;
  /** JSON. */
  readonly model: string | null;
  /** Milliseconds since the epoch; null where the row has no time that can be. */
  readonly updated: number | null;
}

/** A message, or a part of one. */
export interface DataRow {
  readonly id: string;
  /** Null for a message. */
  readonly messageId: string | null;
  readonly rowid: number;
  /** Milliseconds since the epoch, whatever the row says: OpenCode orders messages by it. */
  readonly created: number;
  /** Milliseconds since the epoch; null where the row has no time that can be. */
  readonly updated: number | null;
  /** JSON. */
  readonly data: string;
}

export type DataTable = 'message' | 'part';

const neededColumns: Readonly<Record<'session' | DataTable, readonly string[]>> = {
  session: ['id', 'title', 'time_updated'],
  message: ['id', 'session_id', 'time_created', 'time_updated', 'data'],
  part: ['id', 'message_id', 'session_id', 'time_created', 'time_updated', 'data'],
};

/** Whether the tables are there that OpenCode keeps its conversations in. */
export function isOpenCode(database: Database): boolean {
  return Object.entries(neededColumns).every(([table, needed]) => {
    const columns = new Set(
      database
        .prepare(`PRAGMA table_info(${table})`)
        .all()
        .map(({ name }) => name),
    );
    return needed.every((column) => columns.has(column));
  });
}

export function sessionRow(database: Database, id: string): SessionRow | null {
  const row = database.prepare(`SELECT ${sessionColumns(database)} FROM session WHERE id = ?`).get(id);
  return row === undefined ? null : asSessionRow(row);
}

/** Sessions that no other one started, as far as that one is there; also those that started each other in a circle. */
export function rootSessions(database: Database): SessionRow[] {
  const rows = database
    .prepare(`SELECT ${sessionColumns(database)} FROM session`)
    .all()
    .map(asSessionRow);
  const present = new Set(rows.map(({ id }) => id));
  const roots = rows.filter(({ parentId }) => parentId === null || !present.has(parentId));
  const reached = reachedFrom(roots, rows);
  return roots.length === rows.length ? roots : [...roots, ...rows.filter(({ id }) => !reached.has(id))];
}

function reachedFrom(roots: readonly SessionRow[], rows: readonly SessionRow[]): ReadonlySet<string> {
  const children = new Map<string | null, string[]>();
  for (const { id, parentId } of rows) {
    const siblings = children.get(parentId);
    if (siblings === undefined) children.set(parentId, [id]);
    else siblings.push(id);
  }
  const reached = new Set(roots.map(({ id }) => id));
  // A set goes on to what is added while it is walked.
  for (const id of reached) for (const child of children.get(id) ?? []) reached.add(child);
  return reached;
}

export function childSessions(database: Database, id: string): SessionRow[] {
  if (!sessionHas(database).has('parent_id')) return [];
  return database
    .prepare(
      `SELECT ${sessionColumns(database)} FROM session WHERE parent_id = ? AND id <> parent_id
       ORDER BY session.time_updated, session.id`,
    )
    .all(id)
    .map(asSessionRow);
}

/**
 * Each column by its name, and as a value that JavaScript has: a whole number beyond its range would fail the look at
 * all rows.
 */
function sessionColumns(database: Database): string {
  const present = sessionHas(database);
  const texts = ['id', 'parent_id', 'directory', 'title', 'revert', 'model'];
  return [...texts.filter((name) => present.has(name)).map(asTextColumn), asNumberColumn('time_updated')].join(', ');
}

function sessionHas(database: Database): ReadonlySet<unknown> {
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all('session');
  return new Set(columns.map(({ name }) => name));
}

function asTextColumn(name: string): string {
  return `CAST(${name} AS TEXT) AS ${name}`;
}

function asNumberColumn(name: string): string {
  return `CAST(${name} AS REAL) AS ${name}`;
}

/** What was seen of a table for one session. */
export interface Seen {
  readonly rowid: number;
  /** Milliseconds since the epoch: rows that were written before are known. */
  readonly since: number;
}

/** Rows that are new, or were written since. */
export function rowsSince(database: Database, table: DataTable, session: string, seen: Seen): DataRow[] {
  const texts = table === 'part' ? ['id', 'message_id', 'data'] : ['id', 'data'];
  const numbers = ['rowid', 'time_created', 'time_updated'];
  const columns = [...texts.map(asTextColumn), ...numbers.map(asNumberColumn)].join(', ');
  return database
    .prepare(
      `SELECT ${columns} FROM ${table} AS t
       WHERE session_id = ? AND (t.rowid > ? OR t.time_updated >= ?) ORDER BY t.rowid`,
    )
    .all(session, seen.rowid, seen.since)
    .map(asDataRow);
}

export function countRows(database: Database, table: DataTable, session: string): number {
  const row = database.prepare(`SELECT count(*) AS rows FROM ${table} WHERE session_id = ?`).get(session);
  return asCount(row?.rows) ?? 0;
}

export function rowIds(database: Database, table: DataTable, session: string): Set<string> {
  const rows = database.prepare(`SELECT ${asTextColumn('id')} FROM ${table} WHERE session_id = ?`).all(session);
  return new Set(rows.map(({ id }) => asText(id) ?? ''));
}

/** The newest message of a session; null where there is none. Its data is null where that is no JSON object. */
export function newestMessage(database: Database, session: string): { readonly data: JsonRecord | null } | null {
  const row = database
    .prepare(
      `SELECT ${asTextColumn('data')} FROM message AS t WHERE session_id = ?
       ORDER BY t.time_created DESC, t.id DESC LIMIT 1`,
    )
    .get(session);
  return row === undefined ? null : { data: jsonRecord(row.data) };
}

/** The call in the parent that started this session; null where none says so. */
export function callThatStarted(database: Database, parent: string, child: string): string | null {
  const row = database
    .prepare(
      `SELECT ${asTextColumn('data')} FROM part AS t
       WHERE session_id = ? AND instr(t.data, ?) > 0 AND instr(t.data, '"tool"') > 0 LIMIT 1`,
    )
    .get(parent, JSON.stringify(child));
  return asName(jsonRecord(row?.data)?.callID);
}

/** Null where it is no JSON object. */
export function jsonRecord(text: unknown): JsonRecord | null {
  if (typeof text !== 'string') return null;
  try {
    return asRecord(JSON.parse(text));
  } catch {
    // The caller says so, where it matters.
    return null;
  }
}

function asSessionRow(row: JsonRecord): SessionRow {
  const id = asText(row.id) ?? '';
  const parentId = asName(row.parent_id);
  return {
    id,
    // A session did not start itself.
    parentId: parentId === id ? null : parentId,
    directory: asName(row.directory),
    title: asName(row.title),
    revert: asName(row.revert),
    model: asName(row.model),
    updated: asTime(row.time_updated),
  };
}

function asDataRow(row: JsonRecord): DataRow {
  return {
    id: asText(row.id) ?? '',
    messageId: asName(row.message_id),
    rowid: asNumber(row.rowid),
    created: asNumber(row.time_created),
    updated: asTime(row.time_updated),
    data: asText(row.data) ?? '',
  };
}

function asNumber(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** Milliseconds since the epoch; null for what is no time, or beyond all that JavaScript has. */
export function asTime(value: unknown): number | null {
  const time = asCount(value);
  return time === null || Number.isNaN(new Date(time).getTime()) ? null : time;
}
