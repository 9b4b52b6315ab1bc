import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type LocalizableText, localizable } from '../../../engine/wording/localizable-text';
import { type NoFile, systemErrorCode } from '../../../platform/files/with-file';
import { type Database, loadSqlite, noSqliteMessage, type Sqlite, sqliteErrorNumber } from './sqlite';

/** Primary result codes of SQLite (the lowest 8 bits). See https://sqlite.org/rescode.html. */
const codes = { busy: 5, locked: 6, readOnly: 8, damaged: 11, cannotOpen: 14, noDatabase: 26 };

/** Milliseconds between the attempts while another program has locked the database. Locks are short. */
const pauses = [20, 60, 150, 400];

export function walOf(file: string): string {
  return `${file}-wal`;
}

/** Exists while a program has the database open, and after a crash. */
function sharedMemoryOf(file: string): string {
  return `${file}-shm`;
}

/**
 * Opens a database for reading, calls `use` within one transaction, and always closes the database, so that OpenCode is
 * never locked out. Writes and creates no file next to it: even the index of the write-ahead log, which readers may
 * write to, is opened read-only. If the index is not usable, SQLite builds one in memory.
 */
export async function readDatabase<Outcome>(
  file: string,
  use: (database: Database) => Outcome,
): Promise<Outcome | NoFile> {
  const sqlite = loadSqlite();
  if (sqlite === null) return { kind: 'unreadable', message: noSqliteMessage };
  for (const wait of [...pauses, null]) {
    try {
      return await read(sqlite, file, use);
    } catch (error) {
      const failure = failureOf(file, error);
      if (failure.kind === 'no-file') return failure.noFile;
      if (wait === null) return { kind: 'unreadable', message: failure.message };
      await pause(wait);
    }
  }
  throw new Error('Unreachable: the last attempt returns');
}

/**
 * Reads a database that a program has open through its shared memory. Otherwise reads the file itself, or a copy if there
 * is a write-ahead log.
 */
async function read<Outcome>(sqlite: Sqlite, file: string, use: (database: Database) => Outcome): Promise<Outcome> {
  await stat(file);
  if (await isShared(file)) return await readShared(sqlite, file, use);
  if (((await sizeOf(walOf(file))) ?? 0) > 0) return await readCopy(sqlite, file, use);
  const outcome = inTransaction(sqlite, databaseUrl(file, 'immutable'), use);
  // If a program opened the database meanwhile, it may have changed what was read.
  return (await isShared(file)) ? await readShared(sqlite, file, use) : outcome;
}

/** Both files must exist: SQLite would create a missing log for a database that is not opened as immutable. */
async function isShared(file: string): Promise<boolean> {
  return (await sizeOf(sharedMemoryOf(file))) !== null && (await sizeOf(walOf(file))) !== null;
}

/** For the parameters see https://sqlite.org/uri.html. */
function databaseUrl(file: string, parameter: 'immutable' | 'readonly_shm'): URL {
  const url = pathToFileURL(file);
  url.searchParams.set(parameter, '1');
  return url;
}

async function readShared<Outcome>(
  sqlite: Sqlite,
  file: string,
  use: (database: Database) => Outcome,
): Promise<Outcome> {
  try {
    return inTransaction(sqlite, databaseUrl(file, 'readonly_shm'), use);
  } catch (error) {
    const code = codeOf(error);
    if (code !== codes.readOnly && code !== codes.cannotOpen) throw error;
    return await readCopy(sqlite, file, use);
  }
}

async function readCopy<Outcome>(sqlite: Sqlite, file: string, use: (database: Database) => Outcome): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-opencode-'));
  try {
    const copy = join(folder, basename(file));
    // The log is copied first, so that changes moved from it into the database meanwhile are in both copies.
    await copyFile(walOf(file), walOf(copy)).catch(unlessMissing);
    await copyFile(file, copy);
    return inTransaction(sqlite, copy, use);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function inTransaction<Outcome>(sqlite: Sqlite, location: string | URL, use: (database: Database) => Outcome): Outcome {
  const database = new sqlite.DatabaseSync(location, { readOnly: true });
  try {
    // All queries of one transaction see the same state.
    database.exec('BEGIN');
    const outcome = use(database);
    database.exec('COMMIT');
    return outcome;
  } finally {
    database.close();
  }
}

/** Bytes; null if the file does not exist. */
async function sizeOf(file: string): Promise<number | null> {
  try {
    return (await stat(file)).size;
  } catch (error) {
    unlessMissing(error);
    return null;
  }
}

function unlessMissing(error: unknown): void {
  if (systemErrorCode(error) !== 'ENOENT') throw error;
}

type Failure =
  | { readonly kind: 'no-file'; readonly noFile: NoFile }
  /** May be temporary: another program is writing to the database. */
  | { readonly kind: 'retry'; readonly message: LocalizableText };

/** Errors of the file and of the database are expected; any other error is rethrown. */
function failureOf(file: string, error: unknown): Failure {
  const code = codeOf(error);
  if (code === null) return { kind: 'no-file', noFile: noFileOf(file, error) };
  if (code === codes.busy || code === codes.locked) {
    return { kind: 'retry', message: localizable('{0} is busy: OpenCode is writing to it', file) };
  }
  if (code === codes.damaged || code === codes.noDatabase) {
    return { kind: 'retry', message: localizable('{0} is damaged or not a database: {1}', file, sqliteReason(error)) };
  }
  return { kind: 'retry', message: localizable('{0} cannot be read: {1}', file, sqliteReason(error)) };
}

function noFileOf(file: string, error: unknown): NoFile {
  const code = systemErrorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR')
    return { kind: 'missing', message: localizable('There is no file {0}', file) };
  if (code === null) throw error;
  return { kind: 'unreadable', message: localizable('{0} cannot be read ({1})', file, code) };
}

function codeOf(error: unknown): number | null {
  const number = sqliteErrorNumber(error);
  return number === null ? null : number & 0xff;
}

function sqliteReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
