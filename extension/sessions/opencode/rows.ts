import { asCount, asName, asRecord, asText, type JsonRecord } from '../records/json';
import type { Database } from './sqlite';

/** A session as its row tells it, as far as it is read here. Columns that a version does not have are null. */
export interface SessionRow {
  readonly id: string;
  readonly parentId: string | null;
  readonly directory: string | null;
  readonly title: string | null;
  /** `{messageID, partID?}` while a person has gone back, and not yet gone on from there. */
  readonly revert: JsonRecord | null;
  readonly model: JsonRecord | null;
  /** Milliseconds since the epoch. */
  readonly updated: number;
}

/** A message, or a part of one. */
export interface DataRow {
  readonly id: string;
  /** Null for a message. */
  readonly messageId: string | null;
  readonly rowid: number;
  /** Milliseconds since the epoch. */
  readonly created: number;
  readonly updated: number;
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
  const row = database.prepare('SELECT * FROM session WHERE id = ?').get(id);
  return row === undefined ? null : asSessionRow(row);
}

/** Sessions that no other one started. */
export function rootSessions(database: Database): SessionRow[] {
  const isRoot = hasParents(database) ? 'WHERE parent_id IS NULL' : '';
  return database.prepare(`SELECT * FROM session ${isRoot}`).all().map(asSessionRow);
}

export function childSessions(database: Database, id: string): SessionRow[] {
  if (!hasParents(database)) return [];
  return database
    .prepare('SELECT * FROM session WHERE parent_id = ? ORDER BY time_updated, id')
    .all(id)
    .map(asSessionRow);
}

function hasParents(database: Database): boolean {
  return database
    .prepare('PRAGMA table_info(session)')
    .all()
    .some(({ name }) => name === 'parent_id');
}

/** What was seen of a table for one session. */
export interface Seen {
  readonly rowid: number;
  /** Milliseconds since the epoch: rows that were written before are known. */
  readonly since: number;
}

/** Rows that are new, or were written since. */
export function rowsSince(database: Database, table: DataTable, session: string, seen: Seen): DataRow[] {
  const messageId = table === 'part' ? 'message_id' : 'NULL';
  return database
    .prepare(
      `SELECT rowid AS rowid, id, ${messageId} AS message_id, time_created, time_updated, data FROM ${table}
       WHERE session_id = ? AND (rowid > ? OR time_updated >= ?) ORDER BY rowid`,
    )
    .all(session, seen.rowid, seen.since)
    .map(asDataRow);
}

export function countRows(database: Database, table: DataTable, session: string): number {
  const row = database.prepare(`SELECT count(*) AS rows FROM ${table} WHERE session_id = ?`).get(session);
  return asCount(row?.rows) ?? 0;
}

export function rowIds(database: Database, table: DataTable, session: string): Set<string> {
  const rows = database.prepare(`SELECT id FROM ${table} WHERE session_id = ?`).all(session);
  return new Set(rows.map(({ id }) => String(id)));
}

/** The newest message of a session; null where there is none. */
export function newestMessage(database: Database, session: string): JsonRecord | null {
  const row = database
    .prepare('SELECT data FROM message WHERE session_id = ? ORDER BY time_created DESC, id DESC LIMIT 1')
    .get(session);
  return jsonRecord(row?.data);
}

/** The call in the parent that started this session; null where none says so. */
export function callThatStarted(database: Database, parent: string, child: string): string | null {
  const row = database
    .prepare(
      'SELECT data FROM part WHERE session_id = ? AND instr(data, ?) > 0 AND instr(data, \'"tool"\') > 0 LIMIT 1',
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
  return {
    id: asText(row.id) ?? '',
    parentId: asName(row.parent_id),
    directory: asName(row.directory),
    title: asName(row.title),
    revert: jsonRecord(row.revert),
    model: jsonRecord(row.model),
    updated: asCount(row.time_updated) ?? 0,
  };
}

function asDataRow(row: JsonRecord): DataRow {
  return {
    id: String(row.id),
    messageId: asName(row.message_id),
    rowid: asCount(row.rowid) ?? 0,
    created: asCount(row.time_created) ?? 0,
    updated: asCount(row.time_updated) ?? 0,
    data: asText(row.data) ?? '',
  };
}
