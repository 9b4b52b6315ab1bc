import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { localizable } from '../../../engine/wording/localizable-text';
import { privateFolder } from '../../../platform/files/private-modes';
import { inTime } from '../../../platform/in-time';
import { Troubles } from '../../troubles';
import type { RecordStore } from '../record-store';
import { reasonOf, StoreNotOpened, wrongPlace } from './failures';

export interface StoreAccess {
  /** Encrypts what is stored: 32 bytes, as base64 or hexadecimal. Absent: nothing is encrypted. */
  readonly key?: string | undefined;
  /** Called for connections that broke while they were idle. */
  readonly tell: (message: string) => void;
  /**
   * Uses a store that others created: creates no file, folder or table, takes few connections, and fails at once while the store cannot be
   * reached.
   */
  readonly visits?: boolean;
  /** The server may be unavailable: the store opens anyway, and works once the server answers. */
  readonly mayBeAway?: boolean;
}

/** A kind of store that can be opened by its place. */
interface StoreKindDescription {
  /** Name of the product; empty if it has no name. */
  readonly product: string;
  /** Empty for places without a scheme. */
  readonly schemes: readonly string[];
  /** The form of its places, for help texts. Absent for a folder, which ends each list. */
  readonly address?: string;
  /** `url`: the whole place is passed to the server's client; it may contain a password. `path`: the scheme is followed by a path. */
  readonly target: 'url' | 'path';
  /** `target` is the whole URL, or the path. */
  open(target: string, access: StoreAccess): Promise<RecordStore>;
  /** Codes and messages of its client, besides `connectionCodes` and `timeouts`, while the server cannot be reached. */
  readonly away?: RegExp;
  /** No other process can open it. */
  readonly isAlone?: true;
}

export type StoreKind = 'postgres' | 'redis' | 'sqlite' | 'pglite' | 'folder';

export const storeKinds: Readonly<Record<StoreKind, StoreKindDescription>> = {
  postgres: {
    product: 'Postgres',
    schemes: ['postgres', 'postgresql'],
    address: 'postgres://…',
    target: 'url',
    open: postgresAt,
    // The server is starting, stopping or full.
    away: /^(?:08\w{3}|57P0\d|53\w{3})$|Connection terminated/i,
  },
  redis: {
    product: 'Redis',
    schemes: ['redis', 'rediss'],
    address: 'redis://…',
    target: 'url',
    open: redisAt,
    // A connection, a command without one, or a server that is still loading its data.
    away: /closed unexpectedly|client is (?:offline|closed)|^(?:LOADING|MASTERDOWN)/i,
  },
  sqlite: { product: 'SQLite', schemes: ['sqlite'], address: 'sqlite:FILE', target: 'path', open: sqliteAt },
  pglite: {
    product: 'PGlite',
    schemes: ['pglite'],
    address: 'pglite:FOLDER',
    target: 'path',
    open: pgliteIn,
    isAlone: true,
  },
  folder: { product: '', schemes: [], target: 'path', open: folderAt },
};

export const kindNames = Object.keys(storeKinds) as readonly StoreKind[];

/** Codes of failed or broken connections. */
const connectionCodes = /^(?:ECONN(?:REFUSED|RESET|ABORTED)|ETIMEDOUT|E(?:HOST|NET)(?:UNREACH|DOWN)|EPIPE|EAI_AGAIN)$/;
const timeouts = /timeout|timed out|no answer within/i;

/** Whether the server cannot be reached for now. A server that rejects the user or the database can be reached. */
export function isAway(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.some(isAway);
  if (!(error instanceof Error)) return false;
  const code = 'code' in error ? String(error.code) : '';
  const isOfClient = ({ away }: StoreKindDescription) => away?.test(code) || away?.test(error.message);
  if (connectionCodes.test(code) || timeouts.test(error.message)) return true;
  return Object.values(storeKinds).some(isOfClient) || isAway(error.cause);
}

async function folderAt(folder: string, { visits }: StoreAccess): Promise<RecordStore> {
  if (visits) requireExisting(folder);
  const { folderStore } = await import('../folder-store');
  return folderStore({ folder });
}

function requireExisting(path: string): void {
  if (!existsSync(path)) throw wrongPlace(localizable('There is nothing at {0}', path));
}

/** A visitor's connections: one for the followed conversation, one for lists and changes. */
const visitorConnections = 2;
/** Maximum time to connect to a server, in milliseconds. */
const connectMs = 10_000;
/** Maximum time for a call, in milliseconds: a hanging server must not delay requests, which work without the store. */
const queryMs = 10_000;

async function postgresAt(connectionString: string, { tell, visits }: StoreAccess): Promise<RecordStore> {
  const { Pool } = await import('./postgres-client');
  const { postgresStore } = await import('../postgres-store');
  const few = visits ? { max: visitorConnections } : {};
  const patience = { connectionTimeoutMillis: connectMs, query_timeout: queryMs };
  const client = new Pool({ connectionString, allowExitOnIdle: true, ...patience, ...few });
  // An idle connection broke; the next query takes another one.
  client.on('error', (error) => tell(`A connection to Postgres ended: ${error.message}`));
  return { ...postgresStore({ client, createTables: !visits }), close: () => client.end() };
}

const reconnectMs = 100;
const longestReconnectMs = 2_000;

async function redisAt(url: string, { tell, mayBeAway }: StoreAccess): Promise<RecordStore> {
  const { createClient } = await import('./redis-client');
  const { redisStore } = await import('../redis-store');
  let triesAgain = false;
  const reconnectStrategy = (tries: number, error: Error) =>
    (triesAgain || (mayBeAway === true && isAway(error))) && Math.min(tries * reconnectMs, longestReconnectMs);
  const client = createClient({
    url,
    // A command that waits for a new connection would delay a request, and would run when it is no longer expected.
    disableOfflineQueue: true,
    socket: { reconnectStrategy, connectTimeout: connectMs },
  });
  const troubles = new Troubles(tell);
  client.on('error', (error: Error) => troubles.tell(`The connection to Redis broke: ${reasonOf(error)}`, 'broke'));
  client.on('ready', () => troubles.over());
  const connected = client.connect();
  // Later failures are reported as errors of the connection.
  connected.catch(() => undefined);
  const trying = new Promise<void>((resolve) => client.once('reconnecting', () => resolve()));
  await (mayBeAway ? Promise.race([connected, trying]) : connected);
  triesAgain = true;
  // Only the time limit of a command keeps the process running: an idle connection does not.
  client.unref();
  const sendCommand = (words: string[]) => inTime(client.sendCommand(words), queryMs);
  return { ...redisStore({ client: { sendCommand } }), close: async () => client.destroy() };
}

/** How long a visitor waits for another process that is writing, in milliseconds. The thread is blocked meanwhile. */
const visitorBusyMs = 1_000;

/** `node:sqlite` is loaded only here, because Node prints a warning in every program that loads it. */
async function sqliteAt(file: string, { visits }: StoreAccess): Promise<RecordStore> {
  if (file === '') throw wrongPlace(localizable('sqlite: needs a file after the colon'));
  if (visits) requireExisting(file);
  if (!process.getBuiltinModule?.('node:sqlite')) {
    throw wrongPlace(
      localizable(
        'Stores in SQLite need Node.js 22.13 or newer with SQLite, and this is {0}; use a newer editor',
        process.versions.node,
      ),
    );
  }
  const { sqliteStore } = await import('../sqlite-store');
  return sqliteStore({ file, ...(visits ? { busyMs: visitorBusyMs, createTables: false } : {}) });
}

async function pgliteIn(folder: string, { visits }: StoreAccess): Promise<RecordStore> {
  if (folder === '') throw wrongPlace(localizable('pglite: needs a folder after the colon'));
  if (visits) {
    throw wrongPlace(
      localizable(
        'PGlite is a database inside one process, and no other process can open it; use Postgres, SQLite or a folder',
      ),
    );
  }
  const { PGlite } = await import('@electric-sql/pglite').catch(() => {
    throw new StoreNotOpened(
      'not-reached',
      localizable('pglite: needs a package beside strata: npm install --global @electric-sql/pglite'),
    );
  });
  const { postgresStore } = await import('../postgres-store');
  // PGlite would make it readable by all users.
  await mkdir(folder, { recursive: true, mode: privateFolder });
  const client = await PGlite.create(folder);
  return { ...postgresStore({ client }), close: () => client.close() };
}
