import { copyFile, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { type NoFile, systemErrorCode } from '../files/with-file';
import { type Database, loadSqlite, noSqliteMessage, type Sqlite, sqliteErrorNumber } from './sqlite';

/** Codes of SQLite, without what they say in their higher bits. See its page "Result and Error Codes". */
const codes = { busy: 5, locked: 6, readOnly: 8, damaged: 11, cannotOpen: 14, noDatabase: 26 };

/** Milliseconds between the tries while the owner has the database to itself: it never does so for long. */
const pauses = [20, 60, 150, 400];

export function walOf(file: string): string {
  return `${file}-wal`;
}

/** Present while a program has the database open, and after one that crashed. */
function sharedMemoryOf(file: string): string {
  return `${file}-shm`;
}

/**
 * Opens a database for reading, hands it over within one transaction, and closes it whatever happens: its owner is never
 * kept from its own. No file is written or made beside it: even the index of the log, which any reader may write to, is
 * opened for reading alone. A reader that found no use for it would make one in its own memory.
 */
export async function readDatabase<Outcome>(
  file: string,
  use: (database: Database) => Outcome,
): Promise<Outcome | NoFile> {
  const sqlite = loadSqlite();
  if (sqlite === null) return { kind: 'unreadable', message: noSqliteMessage };
  for (const wait of [...pauses, null]) {
    try {
      return await look(sqlite, file, use);
    } catch (error) {
      const failure = failureOf(file, error);
      if (failure.kind === 'gone') return failure.noFile;
      if (wait === null) return { kind: 'unreadable', message: failure.message };
      await pause(wait);
    }
  }
  throw new Error('The last try returns');
}

/**
 * While a program has the database open, it is read along with that program. Otherwise there is nobody to disturb: the
 * file is read as it lies there, or, where a log of changes lies beside it, a copy of both.
 */
async function look<Outcome>(sqlite: Sqlite, file: string, use: (database: Database) => Outcome): Promise<Outcome> {
  await stat(file);
  if (await isShared(file)) return await lookBeside(sqlite, file, use);
  if (((await sizeOf(walOf(file))) ?? 0) > 0) return await lookAtCopy(sqlite, file, use);
  const outcome = within(sqlite, databaseUrl(file, 'immutable'), use);
  // Somebody opened it meanwhile, and may have written to what was just read.
  return (await isShared(file)) ? await lookBeside(sqlite, file, use) : outcome;
}

/** Without a log beside it, SQLite would make one for a database that is not opened as immutable. */
async function isShared(file: string): Promise<boolean> {
  return (await sizeOf(sharedMemoryOf(file))) !== null && (await sizeOf(walOf(file))) !== null;
}

/** With a parameter as SQLite's page "Uniform Resource Identifiers" has them. */
function databaseUrl(file: string, parameter: 'immutable' | 'readonly_shm'): URL {
  const url = pathToFileURL(file);
  url.searchParams.set(parameter, '1');
  return url;
}

async function lookBeside<Outcome>(
  sqlite: Sqlite,
  file: string,
  use: (database: Database) => Outcome,
): Promise<Outcome> {
  try {
    return within(sqlite, databaseUrl(file, 'readonly_shm'), use);
  } catch (error) {
    const code = codeOf(error);
    if (code !== codes.readOnly && code !== codes.cannotOpen) throw error;
    return await lookAtCopy(sqlite, file, use);
  }
}

async function lookAtCopy<Outcome>(
  sqlite: Sqlite,
  file: string,
  use: (database: Database) => Outcome,
): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-opencode-'));
  try {
    const copy = join(folder, basename(file));
    // The log first: changes that move from it into the database meanwhile are then in both, and none is in neither.
    await copyFile(walOf(file), walOf(copy)).catch(unlessMissing);
    await copyFile(file, copy);
    return within(sqlite, copy, use);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function within<Outcome>(sqlite: Sqlite, place: string | URL, use: (database: Database) => Outcome): Outcome {
  const database = new sqlite.DatabaseSync(place, { readOnly: true });
  try {
    // All looks of one transaction see the same state.
    database.exec('BEGIN');
    const outcome = use(database);
    database.exec('COMMIT');
    return outcome;
  } finally {
    database.close();
  }
}

/** Bytes; null where there is no such file. */
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
  | { readonly kind: 'gone'; readonly noFile: NoFile }
  /** May pass: half of a change was seen, or the owner is just writing. */
  | { readonly kind: 'perhaps passing'; readonly message: string };

/** Errors of the file and of the database are expected; anything else is a defect and is thrown on. */
function failureOf(file: string, error: unknown): Failure {
  const code = codeOf(error);
  if (code === null) return { kind: 'gone', noFile: noFileOf(file, error) };
  if (code === codes.busy || code === codes.locked) {
    return { kind: 'perhaps passing', message: `${file} is busy: the program that it belongs to is writing to it` };
  }
  if (code === codes.damaged || code === codes.noDatabase) {
    return { kind: 'perhaps passing', message: `${file} is damaged, or no database: ${reasonOf(error)}` };
  }
  return { kind: 'perhaps passing', message: `${file} cannot be read: ${reasonOf(error)}` };
}

function noFileOf(file: string, error: unknown): NoFile {
  const code = systemErrorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing', message: `There is no file ${file}` };
  if (code === null) throw error;
  return { kind: 'unreadable', message: `${file} cannot be read (${code})` };
}

function codeOf(error: unknown): number | null {
  const number = sqliteErrorNumber(error);
  return number === null ? null : number & 0xff;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
