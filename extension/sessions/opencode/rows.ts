import { asCount, asName, asRecord, asText, type JsonRecord } from '../records/json';
import type { Database } from './sqlite';

/** The columns of a session row that Strata reads. Columns that a version of OpenCode lacks are null. */
export interface SessionRow {
  readonly id: string;
  readonly parentId: string | null;
  readonly directory: string | null;
  readonly title: string | null;
  /** JSON: `{messageID, partID?}` after a person went back to a message, until they continue from there. */
  readonly revert: string | null;
  /** JSON. */
  readonly model: string | null;
  /** Milliseconds since the epoch; null if the time is not valid. */
  readonly updated: number | null;
}

/** The row of a message or a part. */
export interface DataRow {
  readonly id: string;
  /** Null for a message. */
  readonly messageId: string | null;
  readonly rowid: number;
  /** Milliseconds since the epoch. Invalid times are kept, because OpenCode orders messages by them. */
  readonly created: number;
  /** Milliseconds since the epoch; null if the time is not valid. */
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

/** Whether the database has the tables and columns of OpenCode's conversations. */
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

/** Sessions without a parent, sessions whose parent is missing, and sessions that are each other's parents in a cycle. */
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
  // Iterating over a set also visits items added during the iteration.
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

/** Columns are cast to text or real, because an integer outside JavaScript's safe range would fail the query. */
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

/** Up to where a table was read for one session. */
export interface ReadPosition {
  readonly rowid: number;
  /** Milliseconds since the epoch. Rows that were updated before this time are known. */
  readonly since: number;
}

/** Rows that were added or updated since `position`. */
export function rowsSince(database: Database, table: DataTable, session: string, position: ReadPosition): DataRow[] {
  const texts = table === 'part' ? ['id', 'message_id', 'data'] : ['id', 'data'];
  const numbers = ['rowid', 'time_created', 'time_updated'];
  const columns = [...texts.map(asTextColumn), ...numbers.map(asNumberColumn)].join(', ');
  return database
    .prepare(
      `SELECT ${columns} FROM ${table} AS t
       WHERE session_id = ? AND (t.rowid > ? OR t.time_updated >= ?) ORDER BY t.rowid`,
    )
    .all(session, position.rowid, position.since)
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

/** The newest message of a session; null if there is none. Its data is null if it is not a JSON object. */
export function newestMessage(database: Database, session: string): { readonly data: JsonRecord | null } | null {
  const row = database
    .prepare(
      `SELECT ${asTextColumn('data')} FROM message AS t WHERE session_id = ?
       ORDER BY t.time_created DESC, t.id DESC LIMIT 1`,
    )
    .get(session);
  return row === undefined ? null : { data: jsonRecord(row.data) };
}

/** The id of the parent's call that started this session; null if none names it. */
export function callThatStarted(database: Database, parent: string, child: string): string | null {
  const row = database
    .prepare(
      `SELECT ${asTextColumn('data')} FROM part AS t
       WHERE session_id = ? AND instr(t.data, ?) > 0 AND instr(t.data, '"tool"') > 0 LIMIT 1`,
    )
    .get(parent, JSON.stringify(child));
  return asName(jsonRecord(row?.data)?.callID);
}

/** Null if the text is not a JSON object. */
export function jsonRecord(text: unknown): JsonRecord | null {
  if (typeof text !== 'string') return null;
  try {
    return asRecord(JSON.parse(text));
  } catch {
    // The caller reports it where it matters.
    return null;
  }
}

function asSessionRow(row: JsonRecord): SessionRow {
  const id = asText(row.id) ?? '';
  const parentId = asName(row.parent_id);
  return {
    id,
    // A session cannot be its own parent.
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

/** Milliseconds since the epoch; null if the value is not a time within JavaScript's range. */
export function asTime(value: unknown): number | null {
  const time = asCount(value);
  return time === null || Number.isNaN(new Date(time).getTime()) ? null : time;
}
