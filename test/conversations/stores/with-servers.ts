import { join } from 'node:path';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { type RestartableServer, type RunningServer, startPostgres, startRedis, untilUnused } from './servers';
import { newFolder, type StoreKind } from './stores';

/** In milliseconds. Other tests may keep the machine busy. */
const startTimeout = 120_000;

export interface Servers {
  readonly postgres: RestartableServer;
  readonly redis: RestartableServer;
}

/** A Postgres and a Redis on this machine for the tests of one file. Their addresses are known once the tests run. */
export function withServers(): Servers {
  let servers: Servers | null = null;
  beforeAll(async () => {
    const [postgres, redis] = await Promise.all([startPostgres(), startRedis()]);
    servers = { postgres, redis };
  }, startTimeout);
  afterAll(async () => {
    await Promise.all([servers?.postgres.stop(), servers?.redis.stop()]);
  });
  const running = () => servers ?? missing();
  return {
    get postgres() {
      return running().postgres;
    },
    get redis() {
      return running().redis;
    },
  };
}

/** Collects what is to be closed after the test. Everything is closed before the wait for unused connections begins. */
export function closedTogether({ address }: Pick<RunningServer, 'address'>): (close: () => Promise<unknown>) => void {
  const closing: (() => Promise<unknown>)[] = [];
  onTestFinished(async () => {
    await Promise.all(closing.map((close) => close()));
    await untilUnused(address);
  });
  return (close) => void closing.push(close);
}

function missing(): never {
  throw new Error('The servers run only while tests do.');
}

/** A new place for each kind of store: a folder or file of its own, or one of these servers. */
export function newPlaces(servers: Servers): Readonly<Record<StoreKind, () => Promise<string>>> {
  return {
    folder: () => newFolder('records'),
    sqlite: async () => join(await newFolder('sqlite'), 'strata.db'),
    postgres: async () => servers.postgres.address,
    redis: async () => servers.redis.address,
  };
}
