import { closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as othersTurn } from 'node:timers/promises';
import { privateFile } from '../../platform/files/private-modes';
import type { RecordStore, StoredConversation } from './record-store';

export interface SqliteOptions {
  /** Database file; several processes of one machine may share it. Only its owner can read a new one. */
  readonly file: string;
  /** Time to wait for another process that writes, in milliseconds. */
  readonly busyMs?: number;
  /** False: nothing is created or configured, and a file without the tables is refused. */
  readonly createTables?: boolean;
}

const schema = `
CREATE TABLE IF NOT EXISTS strata_conversations (
  scope TEXT NOT NULL, id TEXT NOT NULL, begins TEXT NOT NULL, name TEXT, created TEXT NOT NULL,
  length INTEGER NOT NULL, updated TEXT NOT NULL, PRIMARY KEY (scope, id)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS strata_beginnings ON strata_conversations (scope, begins);
CREATE TABLE IF NOT EXISTS strata_records (
  scope TEXT NOT NULL, id TEXT NOT NULL, place INTEGER NOT NULL, record TEXT NOT NULL,
  PRIMARY KEY (scope, id, place)) WITHOUT ROWID;`;

/** Number of conversations that are deleted in one transaction, during which all other writers wait. */
const deletedAtOnce = 20;

const columns = 'id, begins, name, created, length, updated';

/** A store in a SQLite file, using Node's own `node:sqlite` (Node 22.13 or newer). A write is on disk when it resolves. */
export function sqliteStore({ file, busyMs = 10_000, createTables = true }: SqliteOptions): RecordStore {
  if (createTables) createPrivate(file);
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA busy_timeout = ${Math.round(busyMs)};`);
  if (!createTables) requireTables(database, file);
  const setUp = createTables ? `PRAGMA journal_mode = WAL; ${schema}` : '';
  database.exec(`PRAGMA synchronous = FULL; ${setUp}`);
  const begin = database.prepare(
    `INSERT INTO strata_conversations (scope, id, ${columns.slice(4)}) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const grow = database.prepare(
    'UPDATE strata_conversations SET length = length + ?, updated = ? WHERE scope = ? AND id = ? AND length = ?',
  );
  const add = database.prepare('INSERT INTO strata_records (scope, id, place, record) VALUES (?, ?, ?, ?)');
  const read = database.prepare(
    'SELECT record FROM strata_records WHERE scope = ? AND id = ? AND place >= ? ORDER BY place',
  );
  const removeRecords = database.prepare('DELETE FROM strata_records WHERE scope = ? AND id = ?');
  const remove = database.prepare('DELETE FROM strata_conversations WHERE scope = ? AND id = ?');
  const old = database.prepare(`SELECT scope, id FROM strata_conversations WHERE updated < ? LIMIT ${deletedAtOnce}`);
  const list = database.prepare(`SELECT ${columns} FROM strata_conversations WHERE scope = ?`);
  const find = database.prepare(
    `SELECT ${columns} FROM strata_conversations WHERE scope = ? AND begins IN (SELECT value FROM json_each(?))`,
  );

  /** Writes all of it or nothing. Takes the lock at once, because a reader cannot become a writer while another one writes. */
  function inTransaction<T>(work: () => T): T {
    database.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      database.exec('COMMIT');
      return result;
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }

  const deleteOne = (scope: string, id: string) => {
    removeRecords.run(scope, id);
    remove.run(scope, id);
  };

  function deleteOlder(time: string): number {
    const found = old.all(time);
    for (const { scope, id } of found) deleteOne(String(scope), String(id));
    return found.length;
  }

  return {
    read: async ({ scope, id }, from) => read.all(scope, id, from).map(({ record }) => String(record)),
    append: async ({ scope, id }, expected, records, { begins, name, created }) =>
      inTransaction(() => {
        const now = new Date().toISOString();
        const { length } = records;
        const { changes } =
          expected === 0
            ? begin.run(scope, id, begins, name, created, length, now)
            : grow.run(length, now, scope, id, expected);
        if (changes === 0) return { kind: 'moved' };
        records.forEach((record, index) => void add.run(scope, id, expected + index, record));
        return { kind: 'appended' };
      }),
    find: async (scope, beginnings) => find.all(scope, JSON.stringify(beginnings)).map(asStored),
    list: async (scope) => list.all(scope).map(asStored),
    delete: async ({ scope, id }) => inTransaction(() => deleteOne(scope, id)),
    async prune(before) {
      const time = new Date(before).toISOString();
      for (let deleted = 0; ; await othersTurn()) {
        const count = inTransaction(() => deleteOlder(time));
        deleted += count;
        if (count < deletedAtOnce) return deleted;
      }
    },
    close: async () => database.close(),
  };
}

/** SQLite would make a file that it creates readable by all users. It gives its `-wal` and `-shm` files the same access rights. */
function createPrivate(file: string): void {
  const isNoPath = file === '' || file === ':memory:' || file.startsWith('file:');
  if (!isNoPath) closeSync(openSync(file, 'a', privateFile));
}

/** Refuses a database that is not Strata's, and leaves it unchanged. */
function requireTables(database: DatabaseSync, file: string): void {
  const found = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'strata_conversations'").get();
  if (found !== undefined) return;
  database.close();
  throw new Error(`${file} has no conversations of Strata in it.`);
}

function asStored(row: Record<string, unknown>): StoredConversation {
  const { id, begins, name, created, length, updated } = row as unknown as StoredConversation;
  return { id, begins, name, created, length: Number(length), updated };
}
