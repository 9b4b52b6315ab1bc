import type { RecordStore } from '../conversations/stores/record-store';
import { CommandFailed } from './command-failed';

/** How stores are named on the command line, for its help. */
export const storePlaces = 'postgres://…, redis://…, sqlite:FILE, pglite:FOLDER, or a folder';

/** The store at this place; only its own code is loaded. It is encrypted where STRATA_STORE_KEY has a key. Its connections do not keep the process running. */
export async function storeAt(place: string, tell: (message: string) => void): Promise<RecordStore> {
  const key = process.env.STRATA_STORE_KEY;
  try {
    const store = await opened(place, tell);
    return key ? await encrypted(store, key) : store;
  } catch (error) {
    if (error instanceof CommandFailed) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new CommandFailed(`the store ${withoutPassword(place)} cannot be opened: ${reason}`);
  }
}

async function encrypted(store: RecordStore, key: string): Promise<RecordStore> {
  const { encryptedStore, WrongKey } = await import('../conversations/stores/encrypted-store');
  try {
    return encryptedStore(store, key);
  } catch (error) {
    if (error instanceof WrongKey) throw new CommandFailed(`STRATA_STORE_KEY: ${error.message}`, true);
    throw error;
  }
}

export function withoutPassword(place: string): string {
  return place.replace(/(:\/\/[^:/@]*):[^@/]*@/, '$1@');
}

async function opened(place: string, tell: (message: string) => void): Promise<RecordStore> {
  const [, kind = '', rest = ''] = /^([a-z]{2,}):(.*)$/s.exec(place) ?? [];
  switch (kind) {
    case '':
      return await folderAt(place);
    case 'postgres':
    case 'postgresql':
      return await postgresAt(place, tell);
    case 'redis':
    case 'rediss':
      return await redisAt(place, tell);
    case 'sqlite':
      return await sqliteAt(rest);
    case 'pglite':
      return await pgliteIn(rest);
    default:
      throw new CommandFailed(`there is no store "${kind}:"; a store is ${storePlaces}`, true);
  }
}

async function folderAt(folder: string): Promise<RecordStore> {
  const { folderStore } = await import('../conversations/stores/folder-store');
  return folderStore({ folder });
}

async function postgresAt(connectionString: string, tell: (message: string) => void): Promise<RecordStore> {
  const { default: pg } = await import('pg');
  const { postgresStore } = await import('../conversations/stores/postgres-store');
  const client = new pg.Pool({ connectionString, allowExitOnIdle: true });
  // A connection that breaks while nobody uses it; the next query takes another one.
  client.on('error', (error) => tell(`A connection to Postgres ended: ${error.message}`));
  return { ...postgresStore({ client }), close: () => client.end() };
}

const reconnectMs = 100;
const longestReconnectMs = 2_000;

async function redisAt(url: string, tell: (message: string) => void): Promise<RecordStore> {
  const { createClient } = await import('redis');
  const { redisStore } = await import('../conversations/stores/redis-store');
  let wasConnected = false;
  const reconnectStrategy = (tries: number) => wasConnected && Math.min(tries * reconnectMs, longestReconnectMs);
  const client = createClient({ url, socket: { reconnectStrategy } });
  client.on('error', (error: Error) => tell(`The connection to Redis broke: ${error.message}`));
  await client.connect();
  wasConnected = true;
  client.unref();
  return { ...redisStore({ client }), close: async () => client.destroy() };
}

/** Node warns of SQLite in every program that has loaded it. */
async function sqliteAt(file: string): Promise<RecordStore> {
  if (file === '') throw new CommandFailed('sqlite: needs a file behind it', true);
  const { sqliteStore } = await import('../conversations/stores/sqlite-store');
  return sqliteStore({ file });
}

async function pgliteIn(folder: string): Promise<RecordStore> {
  if (folder === '') throw new CommandFailed('pglite: needs a folder behind it', true);
  const { PGlite } = await import('@electric-sql/pglite').catch(() => {
    throw new CommandFailed('pglite: needs a package beside strata: npm install --global @electric-sql/pglite');
  });
  const { postgresStore } = await import('../conversations/stores/postgres-store');
  const client = await PGlite.create(folder);
  return { ...postgresStore({ client }), close: () => client.close() };
}
