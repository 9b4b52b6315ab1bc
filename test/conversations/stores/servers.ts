import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { createClient } from 'redis';

const run = promisify(execFile);

/** A real server on this machine that runs as long as the tests. */
export interface RunningServer {
  readonly address: string;
  readonly port: number;
  stop(): Promise<void>;
}

/** A server that can be stopped for a while. It keeps its data and its port. */
export interface RestartableServer extends RunningServer {
  /** Stops it at once, with all connections. */
  halt(): Promise<void>;
  /** Starts it again. */
  resume(): Promise<void>;
}

/** The folder of the newest PostgreSQL that Debian has installed, or of the one on the path; null if there is none. */
export function postgresBinaries(): string | null {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [...versions.map((version) => join(debian, version, 'bin')), ...(process.env.PATH ?? '').split(':')];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null;
}

export function redisBinary(): string | null {
  const folders = [...(process.env.PATH ?? '').split(':'), '/usr/bin'];
  return folders.map((folder) => join(folder, 'redis-server')).find((file) => existsSync(file)) ?? null;
}

interface ServerUser {
  readonly uid?: number;
  readonly gid?: number;
}

/** PostgreSQL refuses to run as root. */
function serverUser(): ServerUser {
  if (process.getuid?.() !== 0) return {};
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
}

async function folderOf(user: ServerUser): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'strata-postgres-'));
  if (user.uid !== undefined) await chown(folder, user.uid, user.gid ?? user.uid);
  await chmod(folder, 0o700);
  return folder;
}

/** The data of a server that has not been started. To copy them takes a tenth of the time in which `initdb` makes them. */
let firstData: Promise<string> | undefined;

async function madeData(binaries: string, user: ServerUser): Promise<string> {
  const folder = await folderOf(user);
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const data = join(folder, 'data');
  const options = ['-D', data, '-U', 'strata', '-A', 'trust', '-E', 'UTF8', '--no-sync'];
  await run(join(binaries, 'initdb'), options, { ...user, env: { ...process.env, LC_ALL: 'C' }, cwd: folder });
  return data;
}

export async function startPostgres(): Promise<RestartableServer> {
  const binaries = postgresBinaries();
  if (binaries === null) throw new Error('There is no PostgreSQL on this machine: apt-get install postgresql.');
  const user = serverUser();
  const folder = await folderOf(user);
  const data = join(folder, 'data');
  const env = { ...process.env, LC_ALL: 'C' };
  firstData ??= madeData(binaries, user);
  await run('cp', ['-a', await firstData, data], { ...user, cwd: folder });
  const port = await freePort();
  const options = [
    `-h`,
    '127.0.0.1',
    '-p',
    String(port),
    '-k',
    folder,
    '-c',
    'max_connections=200',
    '-c',
    'shared_buffers=32MB',
  ];
  const address = `postgres://strata@127.0.0.1:${port}/postgres`;
  const begin = async () => {
    const begun = spawn(join(binaries, 'postgres'), ['-D', data, ...options], {
      ...user,
      env,
      cwd: folder,
      stdio: 'ignore',
    });
    await untilReady(begun, async () => {
      const client = new pg.Client({ connectionString: address });
      await client.connect();
      await client.end();
    });
    return begun;
  };
  let server = await begin();
  return {
    address,
    port,
    halt: () => ended(server, 'SIGINT'),
    resume: async () => {
      server = await begin();
    },
    stop: () => stopped(server, 'SIGINT', folder),
  };
}

/**
 * Waits until no connection is left. A pool that was ended has connections for a moment longer, and reports an error if
 * the server closes one.
 */
export async function untilUnused(address: string): Promise<void> {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  const others = `SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`;
  while ((await client.query(others)).rows.length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
  await client.end();
}

export async function startRedis(): Promise<RestartableServer> {
  const binary = redisBinary();
  if (binary === null) throw new Error('There is no Redis on this machine: apt-get install redis-server.');
  const folder = await mkdtemp(join(tmpdir(), 'strata-redis-'));
  const port = await freePort();
  const options = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--dir',
    folder,
    '--appendonly',
    'yes',
    '--appendfsync',
    'always',
    '--save',
    '',
  ];
  const address = `redis://127.0.0.1:${port}`;
  const begin = async () => {
    const begun = spawn(binary, options, { stdio: 'ignore' });
    await untilReady(begun, async () => {
      const client = createClient({ url: address, socket: { reconnectStrategy: false } });
      client.on('error', () => undefined);
      await client.connect();
      await client.ping();
      client.destroy();
    });
    return begun;
  };
  let server = await begin();
  return {
    address,
    port,
    halt: () => ended(server, 'SIGTERM'),
    resume: async () => {
      server = await begin();
    },
    stop: () => stopped(server, 'SIGTERM', folder),
  };
}

export function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

async function untilReady(server: ChildProcess, ask: () => Promise<void>): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`The server ended with ${server.exitCode}.`);
    try {
      return await ask();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

async function ended(server: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = new Promise((resolve) => server.once('exit', resolve));
  server.kill(signal);
  await exit;
}

async function stopped(server: ChildProcess, signal: NodeJS.Signals, folder: string): Promise<void> {
  await ended(server, signal);
  await rm(folder, { recursive: true, force: true });
}
