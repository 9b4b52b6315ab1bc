import * as s from '../../../platform/json/schemas';
import { dataIn, type MessageData, messageData, partData } from './data';
import type { Database } from './sqlite';

const sessionColumns = s.record({
  id: s.text,
  parent_id: s.name,
  directory: s.name,
  title: s.name,
  /** JSON: `{messageID, partID?}` after a person went back to a message, until they continue from there. */
  revert: s.text,
  /** JSON. */
  model: s.text,
  time_updated: time,
});

/** The columns of a session row that Strata reads. A version of OpenCode may lack any but `id`, `title` and `time_updated`. */
export type SessionRow = s.Read<typeof sessionColumns>;

const dataColumns = s.record({
  id: s.text,
  /** Null for a message. */
  message_id: s.name,
  rowid: numberOrZero,
  /** Milliseconds since the epoch. Invalid times are kept, because OpenCode orders messages by them. */
  time_created: numberOrZero,
  time_updated: time,
  /** JSON. */
  data: s.text,
});

/** The row of a message or a part. */
export type DataRow = s.Read<typeof dataColumns>;

export type DataTable = 'message' | 'part';

const neededColumns: Readonly<Record<'session' | DataTable, readonly string[]>> = {
  session: ['id', 'title', 'time_updated'],
  message: ['id', 'session_id', 'time_created', 'time_updated', 'data'],
  part: ['id', 'message_id', 'session_id', 'time_created', 'time_updated', 'data'],
};

/** Whether the database has the tables and columns of OpenCode's conversations. */
export function isOpenCode(database: Database): boolean {
  return Object.entries(neededColumns).every(([table, needed]) => {
    const columns = columnsOf(database, table);
    return needed.every((column) => columns.has(column));
  });
}

export function sessionRow(database: Database, id: string): SessionRow | null {
  const row = database.prepare(`SELECT ${selectedColumns(database)} FROM session WHERE id = ?`).get(id);
  return row === undefined ? null : sessionRowOf(row);
}

/** Sessions without a parent, sessions whose parent is missing, and sessions that are each other's parents in a cycle. */
export function rootSessions(database: Database): SessionRow[] {
  const rows = database
    .prepare(`SELECT ${selectedColumns(database)} FROM session`)
    .all()
    .map(sessionRowOf);
  const present = new Set(rows.map(({ id }) => id));
  const roots = rows.filter(({ parent_id: parent }) => parent === null || !present.has(parent));
  const reached = reachedFrom(roots, rows);
  return roots.length === rows.length ? roots : [...roots, ...rows.filter(({ id }) => !reached.has(id))];
}

function reachedFrom(roots: readonly SessionRow[], rows: readonly SessionRow[]): ReadonlySet<string> {
  const children = Map.groupBy(rows, ({ parent_id: parent }) => parent);
  const reached = new Set(roots.map(({ id }) => id));
  // Iterating over a set also visits items added during the iteration.
  for (const id of reached) for (const child of children.get(id) ?? []) reached.add(child.id);
  return reached;
}

export function childSessions(database: Database, id: string): SessionRow[] {
  if (!columnsOf(database, 'session').has('parent_id')) return [];
  return database
    .prepare(
      `SELECT ${selectedColumns(database)} FROM session WHERE parent_id = ? AND id <> parent_id
       ORDER BY session.time_updated, session.id`,
    )
    .all(id)
    .map(sessionRowOf);
}

/** Columns are cast to text or real, because an integer outside JavaScript's safe range would fail the query. */
function selectedColumns(database: Database): string {
  const present = columnsOf(database, 'session');
  const texts = ['id', 'parent_id', 'directory', 'title', 'revert', 'model'];
  return [...texts.filter((name) => present.has(name)).map(asTextColumn), asNumberColumn('time_updated')].join(', ');
}

function columnsOf(database: Database, table: string): ReadonlySet<unknown> {
  const columns = database.prepare('SELECT name FROM pragma_table_info(?)').all(table);
  return new Set(columns.map(({ name }) => name));
}

function asTextColumn(name: string): string {
  return `CAST(${name} AS TEXT) AS ${name}`;
}

function asNumberColumn(name: string): string {
  return `CAST(${name} AS REAL) AS ${name}`;
}

/** Maximum number of parts searched for the first prompt, which is usually the first one. */
const promptParts = 40;

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
    .map((row) => s.read(dataColumns, row));
}

export function countRows(database: Database, table: DataTable, session: string): number {
  const row = database.prepare(`SELECT count(*) AS rows FROM ${table} WHERE session_id = ?`).get(session);
  return s.read(s.countOrZero, row?.rows);
}

export function rowIds(database: Database, table: DataTable, session: string): Set<string> {
  const rows = database.prepare(`SELECT ${asTextColumn('id')} FROM ${table} WHERE session_id = ?`).all(session);
  return new Set(rows.map(({ id }) => s.read(s.text, id)));
}

/** The newest messages of a session, newest first. The data of a message is null if it is not a JSON object. */
export function newestMessages(database: Database, session: string, limit: number): (MessageData | null)[] {
  return database
    .prepare(
      `SELECT ${asTextColumn('data')} FROM message AS t WHERE session_id = ?
       ORDER BY t.time_created DESC, t.id DESC LIMIT ?`,
    )
    .all(session, limit)
    .map((row) => dataIn(messageData, s.read(s.text, row.data)));
}

/** The text of the oldest message of a person that has one; null if there is none among the oldest parts. */
export function firstPromptText(database: Database, session: string): string | null {
  const rows = database
    .prepare(
      `SELECT CAST(t.data AS TEXT) AS data, CAST(m.data AS TEXT) AS message
       FROM part AS t JOIN message AS m ON m.id = t.message_id
       WHERE t.session_id = ? ORDER BY m.time_created, m.id, t.id LIMIT ?`,
    )
    .all(session, promptParts);
  for (const row of rows) {
    const part = dataIn(partData, s.read(s.text, row.data));
    const isPrompt = dataIn(messageData, s.read(s.text, row.message))?.role === 'user';
    if (isPrompt && part?.type === 'text' && !part.synthetic && !part.ignored && part.text.trim() !== '')
      return part.text;
  }
  return null;
}

/** The id of the parent's call that started this session; null if none names it. */
export function callThatStarted(database: Database, parent: string, child: string): string | null {
  const row = database
    .prepare(
      `SELECT ${asTextColumn('data')} FROM part AS t
       WHERE session_id = ? AND instr(t.data, ?) > 0 AND instr(t.data, '"tool"') > 0 LIMIT 1`,
    )
    .get(parent, JSON.stringify(child));
  return dataIn(partData, s.read(s.text, row?.data))?.callID ?? null;
}

function sessionRowOf(row: s.JsonRecord): SessionRow {
  const columns = s.read(sessionColumns, row);
  // A session cannot be its own parent.
  return columns.parent_id === columns.id ? { ...columns, parent_id: null } : columns;
}

function numberOrZero(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}

/** The last time that a `Date` can have, in milliseconds since the epoch. */
const lastTime = 8.64e15;

/** Milliseconds since the epoch; null if the value is not a time within JavaScript's range. */
export function time(value: unknown): number | null {
  const time = s.count(value);
  return time === null || time > lastTime ? null : time;
}
