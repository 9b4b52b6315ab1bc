import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { memoryStore } from '../../../extension/conversations/stores/memory-store';
import { reasonOf } from '../../../extension/conversations/stores/places/failures';
import { openStore } from '../../../extension/conversations/stores/places/open-store';
import { reconnectingStore } from '../../../extension/conversations/stores/places/reconnecting-store';
import { startRedis } from './servers';
import { newFolder } from './stores';
import { withServers } from './with-servers';

/** Tests of a store that others made and the editor opens: nothing is created in it, and a failed call is named. */

const visit = { visits: true, tell: () => undefined } as const;
const key = { scope: 'acme', id: 'one' };
const description = { begins: 'b', name: 'thread-1', created: '2026-01-01T00:00:00.000Z' };

const servers = withServers();

describe('a visitor of a store', () => {
  it('a visitor reads and writes the conversations of others', async () => {
    const folder = await newFolder('visited');
    for (const address of [
      servers.postgres.address,
      servers.redis.address,
      `sqlite:${join(folder, 'strata.db')}`,
      folder,
    ]) {
      const own = await openStore(address, { tell: () => undefined });
      await own.append(key, 0, ['a record'], description);
      const visitor = await openStore(address, visit);
      expect(await visitor.read(key, 0)).toEqual(['a record']);
      expect(await visitor.append(key, 0, ['another'], description)).toEqual({ kind: 'moved' });
      expect(await visitor.append(key, 1, ['another'], description)).toEqual({ kind: 'appended' });
      expect(await own.read(key, 1)).toEqual(['another']);
      await Promise.all([own.close(), visitor.close()]);
    }
  });

  it('creates no file and no folder', async () => {
    const folder = await newFolder('visited');
    for (const place of [`sqlite:${join(folder, 'strata.db')}`, join(folder, 'none')]) {
      await expect(openStore(place, visit)).rejects.toThrow(`There is nothing at ${join(folder)}`);
    }
    expect(await readdir(folder)).toEqual([]);
  });

  it('creates no tables in a database of something else', async () => {
    const file = join(await newFolder('visited'), 'other.db');
    const other = new DatabaseSync(file);
    other.exec('CREATE TABLE other (a)');
    await expect(openStore(`sqlite:${file}`, visit)).rejects.toThrow('has no conversations of Strata in it');
    expect(other.prepare('SELECT name FROM sqlite_master').all()).toEqual([{ name: 'other' }]);
    other.close();
    expect(existsSync(`${file}-wal`)).toBe(false);

    const client = new pg.Client({ connectionString: servers.postgres.address });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('CREATE DATABASE other');
    const store = await openStore(servers.postgres.address.replace(/\/postgres$/, '/other'), visit);
    await expect(store.list('')).rejects.toThrow('relation "strata_records" does not exist');
    await store.close();
  });

  it('needs no right to create anything', async () => {
    const client = new pg.Client({ connectionString: servers.postgres.address });
    await client.connect();
    onTestFinished(() => client.end());
    const own = await openStore(servers.postgres.address, { tell: () => undefined });
    await own.append({ scope: 'acme', id: 'two' }, 0, ['a record'], description);
    await own.close();
    await client.query('CREATE ROLE reader LOGIN');
    await client.query('GRANT SELECT, INSERT, UPDATE ON strata_conversations, strata_records TO reader');
    const store = await openStore(servers.postgres.address.replace('strata@', 'reader@'), visit);
    expect(await store.read({ scope: 'acme', id: 'two' }, 0)).toEqual(['a record']);
    expect(await store.append({ scope: 'acme', id: 'two' }, 1, ['b'], description)).toEqual({ kind: 'appended' });
    await store.close();
  });

  it('a visitor gets an error that a PGlite belongs to one process', async () => {
    await expect(openStore(`pglite:${await newFolder('visited')}`, visit)).rejects.toThrow(
      'PGlite is a database inside',
    );
  });

  it('a visitor gets an error if the editor has no SQLite', async () => {
    const file = join(await newFolder('visited'), 'strata.db');
    const own = await openStore(`sqlite:${file}`, { tell: () => undefined });
    await own.close();
    const missing = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
    onTestFinished(() => missing.mockRestore());
    await expect(openStore(`sqlite:${file}`, visit)).rejects.toThrow(/need Node.js 22.13 or newer with SQLite,/);
  });
});

describe('a store that is opened when it is used', () => {
  it('is opened once for many calls, and again if that failed', async () => {
    let tries = 0;
    const store = reconnectingStore('a-store', async () => {
      tries += 1;
      if (tries === 1) throw new Error('away');
      return memoryStore();
    });
    await expect(store.list('acme')).rejects.toThrow('The call `list` of the store a-store failed: away');
    await Promise.all([store.list('acme'), store.append(key, 0, ['a'], description), store.read(key, 0)]);
    expect(tries).toBe(2);
    await store.close();
    await expect(store.list('acme')).rejects.toThrow('The store a-store was closed.');
  });

  it('gives up on a server that accepts connections and says nothing', async () => {
    const server = createServer(() => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void server.close());
    const { port } = server.address() as { port: number };
    const place = `postgres://ada@127.0.0.1:${port}/strata`;
    const store = reconnectingStore(place, () => openStore(place, visit), 200);
    await expect(store.list('')).rejects.toThrow(/^The call `list` of the store postgres:.* failed: no answer within/);
    // Not awaited, because its connection never gets an answer.
    void store.close();
  });

  it.each(['postgres://ada@localhost:1/strata', 'redis://127.0.0.1:1'])(
    'says why it was not reached: %s',
    async (place) => {
      const store = reconnectingStore(place, () => openStore(place, visit));
      await expect(store.list('')).rejects.toThrow(/ECONNREFUSED/);
      await store.close();
    },
  );

  it('works again as soon as Redis is back', async () => {
    const server = await startRedis();
    const store = reconnectingStore(server.address, () => openStore(server.address, visit));
    await store.append(key, 0, ['a record'], description);
    await server.stop();
    await expect(store.read(key, 0)).rejects.toThrow(/^The call `read` of the store redis:/);
    await store.close();
  });

  it('gives a reason also if all addresses of a host name failed', () => {
    const each = [Object.assign(new Error('connect ECONNREFUSED ::1:1'), { code: 'ECONNREFUSED' })];
    expect(String(reasonOf(new AggregateError(each)))).toBe('connect ECONNREFUSED ::1:1');
    expect(String(reasonOf(Object.assign(new Error(''), { code: 'EPIPE' })))).toBe('EPIPE');
  });
});
