import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { InMemoryStore } from '@langchain/langgraph';
import { PostgresStore } from '@langchain/langgraph-checkpoint-postgres/store';
import pg from 'pg';
import { createClient } from 'redis';
import { encryptedStore } from '../../../extension/conversations/stores/encrypted-store';
import { folderStore } from '../../../extension/conversations/stores/folder-store';
import { langgraphStore } from '../../../extension/conversations/stores/langgraph-store';
import { memoryStore } from '../../../extension/conversations/stores/memory-store';
import { postgresStore } from '../../../extension/conversations/stores/postgres-store';
import type { RecordStore } from '../../../extension/conversations/stores/record-store';
import { redisStore } from '../../../extension/conversations/stores/redis-store';
import { sqliteStore } from '../../../extension/conversations/stores/sqlite-store';
import { startPostgres, startRedis, untilUnused } from './servers';

export const newFolder = (kind: string) => mkdtemp(join(tmpdir(), `strata-${kind}-`));

/** The place of a store's data. `open` returns a new instance of the store, as each process has its own. */
export interface StorePlace {
  open(): Promise<RecordStore>;
  close(): Promise<void>;
}

type Makers = Readonly<Record<string, () => Promise<StorePlace>>>;

/** A store at the address of its server or file, with a connection of its own. */
export const openers = {
  folder: async (folder: string) => folderStore({ folder }),
  sqlite: async (file: string) => sqliteStore({ file }),
  postgres: async (address: string) => {
    const client = new pg.Pool({ connectionString: address, max: 4 });
    client.on('error', () => undefined);
    return { ...postgresStore({ client }), close: () => client.end() };
  },
  redis: async (address: string) => {
    const client = createClient({ url: address });
    client.on('error', () => undefined);
    await client.connect();
    return { ...redisStore({ client }), close: async () => client.destroy() };
  },
} satisfies Record<string, (address: string) => Promise<RecordStore>>;

export type StoreKind = keyof typeof openers;

async function placeAt(kind: StoreKind, address: string, end: () => Promise<void> = async () => undefined) {
  const opened: RecordStore[] = [];
  const open = async () => {
    const store = await openers[kind](address);
    opened.push(store);
    return store;
  };
  return {
    open,
    close: async () => {
      for (const store of opened) await store.close();
      await end();
    },
  };
}

/** All stores of the library, each with data of its own. */
export const storePlaces: Makers = {
  memory: async () => {
    const store = memoryStore();
    return { open: async () => store, close: async () => undefined };
  },
  folder: async () => await placeAt('folder', await newFolder('records')),
  SQLite: async () => await placeAt('sqlite', join(await newFolder('sqlite'), 'strata.db')),
  Postgres: async () => {
    const { address, stop } = await startPostgres();
    return await placeAt('postgres', address, stop);
  },
  PGlite: async () => {
    const client = await PGlite.create();
    return { open: async () => postgresStore({ client }), close: () => client.close() };
  },
  Redis: async () => {
    const { address, stop } = await startRedis();
    return await placeAt('redis', address, stop);
  },
  'LangGraph, in memory': async () => {
    const client = new InMemoryStore();
    return { open: async () => langgraphStore({ client }), close: async () => undefined };
  },
  'LangGraph, in Postgres': async () => {
    const { address, stop } = await startPostgres();
    const client = PostgresStore.fromConnString(address);
    await client.setup();
    const close = async () => {
      await client.stop();
      await untilUnused(address);
      await stop();
    };
    return { open: async () => langgraphStore({ client }), close };
  },
  'a folder, encrypted': async () => {
    const { open, close } = await placeAt('folder', await newFolder('records'));
    return { open: async () => encryptedStore(await open(), 'a1'.repeat(32)), close };
  },
};
