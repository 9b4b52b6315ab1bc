import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PostgresStore } from '@langchain/langgraph-checkpoint-postgres/store';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { encryptedStore } from '../../../extension/conversations/stores/encrypted-store';
import { langgraphStore } from '../../../extension/conversations/stores/langgraph-store';
import type { RecordKey, RecordStore } from '../../../extension/conversations/stores/record-store';
import { StoredSequence } from '../../../extension/conversations/stores/stored-sequence';
import { built } from '../../builders/built';
import { newFolder, openers, type StoreKind } from './stores';
import { newPlaces, withServers } from './with-servers';

/**
 * Tests with many processes, killed processes, full disks and broken connections: everything that was acknowledged is
 * stored, and nothing is stored twice.
 */

let library = '';
beforeAll(async () => {
  library = join(await built('library'), 'library');
}, 240_000);
const servers = withServers();

type Kind = StoreKind | 'langgraph' | 'encrypted';

const addresses: Readonly<Record<Kind, () => Promise<string>>> = {
  ...newPlaces(servers),
  langgraph: async () => servers.postgres.address,
  encrypted: () => newFolder('records'),
};
const kinds = Object.keys(addresses) as Kind[];

async function opened(kind: Kind, address: string): Promise<RecordStore> {
  if (kind === 'encrypted') return encryptedStore(await openers.folder(address), encryptionKey);
  if (kind !== 'langgraph') return await openers[kind](address);
  const client = PostgresStore.fromConnString(address);
  await client.setup();
  return { ...langgraphStore({ client }), close: () => client.stop() };
}
const encryptionKey = 'a1'.repeat(32);
const newKey = (): RecordKey => ({ scope: 'acme', id: crypto.randomUUID() });

interface Writing {
  readonly kind: Kind;
  readonly address: string;
  readonly key: RecordKey;
  readonly name: string;
  readonly batches: number;
  /** Length of a record, in repetitions of a few characters. */
  readonly size?: number;
  /** The largest file that the process may write, in kB. */
  readonly mostKilobytes?: number;
}

/** A process that writes. `acknowledged`: the batches that it has acknowledged so far. */
function writer({ mostKilobytes, size = 1, ...more }: Writing) {
  const parts = { pg: 'pg', redis: 'redis', langgraph: '@langchain/langgraph-checkpoint-postgres/store' };
  const paths = Object.fromEntries(
    Object.entries(parts).map(([name, of]) => [name, fileURLToPath(import.meta.resolve(of))]),
  );
  const task = JSON.stringify({ ...more, size, library, encryptionKey, ...paths });
  const limit = mostKilobytes === undefined ? '' : `trap '' XFSZ; ulimit -f ${mostKilobytes}; `;
  const script = fileURLToPath(new URL('./writer.mjs', import.meta.url));
  const child = spawn('bash', [
    '-c',
    `${limit}exec "$0" --disable-warning=ExperimentalWarning "$1" "$2"`,
    process.execPath,
    script,
    task,
  ]);
  const acknowledged: string[] = [];
  let rest = '';
  let errors = '';
  child.stdout.on('data', (data: Buffer) => {
    const lines = `${rest}${data}`.split('\n');
    rest = lines.pop() ?? '';
    acknowledged.push(...lines);
  });
  child.stderr.on('data', (data: Buffer) => {
    errors += data;
  });
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, errors }));
  return { child, acknowledged, ended };
}

/** The batches of a conversation. Throws if one is incomplete. */
async function batchesIn(store: RecordStore, key: RecordKey): Promise<string[]> {
  const records = (await store.read(key, 0)).map((record) => record.split(' ').slice(0, 3));
  expect(records.length % 3).toBe(0);
  const batches: string[] = [];
  for (let at = 0; at < records.length; at += 3) {
    const [name, batch] = records[at] ?? [];
    expect(records.slice(at, at + 3)).toEqual(['0', '1', '2'].map((part) => [name, batch, part]));
    batches.push(`${name} ${batch}`);
  }
  expect(new Set(batches).size).toBe(batches.length);
  return batches;
}

describe.each(kinds)('the store %s', (kind) => {
  it('has each record of ten processes once, in the order of each', async () => {
    const [address, key] = [await addresses[kind](), newKey()];
    const store = await opened(kind, address);
    onTestFinished(() => store.close());
    const names = Array.from({ length: 10 }, (_, index) => `w${index}`);
    const writers = names.map((name) => writer({ kind, address, key, name, batches: 6 }));
    for (const { ended } of writers) expect(await ended).toEqual({ code: 0, errors: '' });
    const batches = await batchesIn(store, key);
    expect(batches).toHaveLength(60);
    for (const name of names)
      expect(batches.filter((batch) => batch.startsWith(`${name} `))).toEqual(
        [0, 1, 2, 3, 4, 5].map((at) => `${name} ${at}`),
      );
  }, 120_000);

  it('a store has what a killed process had acknowledged, and other processes continue', async () => {
    const [address, key] = [await addresses[kind](), newKey()];
    const store = await opened(kind, address);
    onTestFinished(() => store.close());
    const killed = writer({ kind, address, key, name: 'killed', batches: 100_000, size: 200 });
    while (killed.acknowledged.length < 12) await new Promise((resolve) => setTimeout(resolve, 1));
    killed.child.kill('SIGKILL');
    await killed.ended;
    const next = writer({ kind, address, key, name: 'next', batches: 3 });
    expect(await next.ended).toEqual({ code: 0, errors: '' });
    const batches = await batchesIn(store, key);
    expect(batches.slice(0, killed.acknowledged.length)).toEqual(killed.acknowledged);
    // One more batch may have been written but not acknowledged.
    expect(batches.length - killed.acknowledged.length).toBeGreaterThanOrEqual(3);
    expect(batches.length - killed.acknowledged.length).toBeLessThanOrEqual(4);
  }, 120_000);
});

describe.each(['folder', 'sqlite'] as const)('the store %s on a full disk', (kind) => {
  it('a full store refuses records with the cause, and has everything that it acknowledged', async () => {
    const [address, key] = [await addresses[kind](), newKey()];
    const filling = writer({ kind, address, key, name: 'filling', batches: 10_000, size: 400, mostKilobytes: 400 });
    const { code, errors } = await filling.ended;
    expect(code).toBe(3);
    expect(errors).toMatch(/EFBIG|file too large|disk I\/O error|database or disk is full/i);
    const store = await openers[kind](address);
    onTestFinished(() => store.close());
    expect(filling.acknowledged.length).toBeGreaterThan(2);
    expect(await batchesIn(store, key)).toEqual(filling.acknowledged);
    const next = writer({ kind, address, key, name: 'next', batches: 1 });
    expect(await next.ended).toEqual({ code: 0, errors: '' });
  }, 120_000);
});

/**
 * Forwards everything to a port, and breaks every third connection, either after the request or while the answer is
 * being sent.
 */
async function breakingProxy(port: number): Promise<{ readonly port: number; broken: number }> {
  const state = { port: 0, broken: 0 };
  let chunks = 0;
  const server = createServer((client: Socket) => {
    const upstream = connect(port, '127.0.0.1');
    const end = () => {
      client.destroy();
      upstream.destroy();
    };
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end);
    client.on('data', (data) => {
      chunks += 1;
      if (chunks % 9 === 0) {
        state.broken += 1;
        return end();
      }
      upstream.write(data);
    });
    upstream.on('data', (data) => {
      chunks += 1;
      if (chunks % 9 === 0) {
        state.broken += 1;
        return end();
      }
      client.write(data);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  state.port = typeof address === 'object' && address ? address.port : 0;
  return state;
}

describe.each(['postgres', 'redis'] as const)('the store %s over connections that break', (kind) => {
  it('has each acknowledged record once, and each other one at most once', async () => {
    const direct = await openers[kind](servers[kind].address);
    const key = newKey();
    const about = { begins: 'shared', name: null, created: '2026-01-01T00:00:00.000Z' };
    // Creates the tables before connections break.
    await direct.read(key, 0);
    const proxy = await breakingProxy(servers[kind].port);
    const store = await openers[kind](servers[kind].address.replace(String(servers[kind].port), String(proxy.port)));
    onTestFinished(() => Promise.all([store.close(), direct.close()]).then(() => undefined));
    const sequence = new StoredSequence(store, key, about, () => undefined);
    const acknowledged: string[] = [];
    const refused: string[] = [];
    for (let at = 0; at < 60; at += 1) {
      try {
        await sequence.append(() => [`record ${at}`]);
        acknowledged.push(`record ${at}`);
      } catch {
        refused.push(`record ${at}`);
        await sequence.refresh().catch(() => undefined);
      }
    }
    const records = await direct.read(key, 0);
    expect(proxy.broken).toBeGreaterThan(5);
    expect(new Set(records).size).toBe(records.length);
    expect(records.filter((record) => !refused.includes(record))).toEqual(acknowledged);
    expect(acknowledged.length).toBeGreaterThan(10);
  }, 120_000);
});
