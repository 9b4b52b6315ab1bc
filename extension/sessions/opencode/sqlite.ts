import type { DatabaseSync } from 'node:sqlite';

export type Sqlite = typeof import('node:sqlite');
export type Database = DatabaseSync;

/** The first version of Node that takes the address of a database, which says how it is to be opened. */
const neededNode = '22.15';

export const noSqliteMessage =
  `OpenCode keeps its sessions in a database, and this version of Node (${process.versions.node}) cannot read one: ` +
  `it takes Node ${neededNode} or newer, or a VS Code that has it (1.101 or newer)`;

/** By Node's own page "SQLite": the line 23 had it later than 22. */
export function takesAddresses(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major === 22) return minor >= 15;
  return major === 23 ? minor >= 10 : major > 23;
}

/** Null where this Node cannot read databases. Loaded when it is first asked for: most people have none of these sessions. */
export function loadSqlite(): Sqlite | null {
  if (!takesAddresses(process.versions.node)) return null;
  const { emitWarning } = process;
  // Node says once that this module is experimental. Loading it is one synchronous call, so nobody else's warning is lost.
  process.emitWarning = (() => undefined) as typeof emitWarning;
  try {
    return process.getBuiltinModule?.('node:sqlite') ?? null;
  } finally {
    process.emitWarning = emitWarning;
  }
}

/** The number that SQLite gives an error; null where it is another kind of error. */
export function sqliteErrorNumber(error: unknown): number | null {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : null;
}
