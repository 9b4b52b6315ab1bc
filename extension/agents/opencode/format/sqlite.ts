import type { DatabaseSync } from 'node:sqlite';
import { localizable } from '../../../engine/wording/localizable-text';

export type Sqlite = typeof import('node:sqlite');
export type Database = DatabaseSync;

/** The first version of Node.js that opens a database by URL, whose parameters control how it is opened. */
const requiredNode = '22.15';

export const noSqliteMessage = localizable(
  'OpenCode stores its sessions in a database, and this version of Node.js ({0}) cannot read it: Node.js {1} or newer is required, or VS Code 1.101 or newer',
  process.versions.node,
  requiredNode,
);

/** Node.js 22.15 and 23.10 added it, see https://nodejs.org/api/sqlite.html. */
export function supportsDatabaseUrls(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major === 22) return minor >= 15;
  return major === 23 ? minor >= 10 : major > 23;
}

/** Null if this version of Node.js cannot read databases. Loaded on first use, because few people have OpenCode sessions. */
export function loadSqlite(): Sqlite | null {
  if (!supportsDatabaseUrls(process.versions.node)) return null;
  const { emitWarning } = process;
  // Suppresses Node's warning that the module is experimental. Loading is synchronous, so no other warning is lost.
  process.emitWarning = (() => undefined) as typeof emitWarning;
  try {
    return process.getBuiltinModule?.('node:sqlite') ?? null;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** SQLite's extended result code of an error; null for other errors. */
export function sqliteErrorNumber(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null;
}
