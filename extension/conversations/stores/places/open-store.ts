import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { type LocalizableText, localizable } from '../../../engine/wording/localizable-text';
import { privateFolder } from '../../../platform/files/private-modes';
import { inTime } from '../../../platform/in-time';
import { Troubles } from '../../troubles';
import type { MarkedStore } from '../marked-store';
import type { RecordStore } from '../record-store';
import { isAway, reasonOf, StoreNotOpened } from './failures';
import { readPlace, type StoreKind, storePlaces, withoutSecrets } from './place';

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

/**
 * The store at this place; only its own code is loaded. Its connections do not keep the process running. Rejects if it was begun
 * with another key, or without one; for a visitor, the methods of the store reject instead.
 */
export async function openStore(place: string, access: StoreAccess): Promise<MarkedStore> {
  try {
    const store = await opened(place, access);
    const marked = access.key ? await encrypted(store, access.key) : await plain(store);
    if (!access.visits) await checked(marked, access);
    return marked;
  } catch (error) {
    if (error instanceof StoreNotOpened) throw error;
    const wording = localizable('The store {0} cannot be opened: {1}', withoutSecrets(place), reasonOf(error));
    throw new StoreNotOpened('not-reached', wording, { cause: error });
  }
}

async function encrypted(store: RecordStore, key: string): Promise<MarkedStore> {
  const { encryptedStore, WrongKey } = await import('../encrypted-store');
  try {
    return encryptedStore(store, key);
  } catch (error) {
    if (error instanceof WrongKey) throw wrongKey(error);
    throw error;
  }
}

const plainMark = 'plain';

async function plain(store: RecordStore): Promise<MarkedStore> {
  const { markedStore } = await import('../marked-store');
  const fault = new StoreNotOpened('wrong-key', localizable('This store is encrypted, and there is no key for it'));
  return markedStore(store, {
    make: () => plainMark,
    faultOf: (mark) => (mark === plainMark ? null : fault),
  });
}

async function checked(store: MarkedStore, { mayBeAway, tell }: StoreAccess): Promise<void> {
  try {
    await store.check();
  } catch (error) {
    if (mayBeAway && isAway(error)) return tell(`The store does not answer yet: ${reasonOf(error)}`);
    await store.close();
    const { WrongKey } = await import('../encrypted-store');
    throw error instanceof WrongKey ? wrongKey(error) : error;
  }
}

function wrongKey(error: Error): StoreNotOpened {
  return new StoreNotOpened('wrong-key', reasonOf(error), { cause: error });
}

function wrongPlace(wording: LocalizableText): StoreNotOpened {
  return new StoreNotOpened('wrong-place', wording);
}

async function opened(place: string, access: StoreAccess): Promise<RecordStore> {
  const found = readPlace(place);
  if (found.kind === 'unknown')
    throw wrongPlace(localizable('There is no store "{0}:"; a store is {1}', found.scheme, storePlaces));
  return await openers[found.kind](found.target, access);
}

const openers: Readonly<Record<StoreKind, (target: string, access: StoreAccess) => Promise<RecordStore>>> = {
  postgres: postgresAt,
  redis: redisAt,
  sqlite: sqliteAt,
  pglite: pgliteIn,
  folder: folderAt,
};

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
