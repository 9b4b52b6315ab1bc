import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished } from 'vitest';
import { kindNames, type StoreKind } from '../../extension/conversations/stores/places/store-kinds';
import { newTenant } from '../../extension/gateway/admission';
import { newFolder } from '../conversations/stores/stores';
import type { Servers } from '../conversations/stores/with-servers';
import { sends, startUpstream } from '../gateway/upstream';

const run = promisify(execFile);

/** A new store of each kind that the documentation names, in the form that `--store` and `--in` accept. */
export const newStorePlace: Readonly<Record<StoreKind, (servers: Servers) => Promise<string>>> = {
  postgres: async ({ postgres }) => postgres.address,
  redis: async ({ redis }) => redis.address,
  sqlite: async () => `sqlite:${join(await newFolder('place'), 'strata.db')}`,
  pglite: async () => `pglite:${await newFolder('place')}`,
  folder: () => newFolder('place'),
};

/** Fails if the documentation names a store that no test starts. */
export async function expectAllDocumented(): Promise<void> {
  const page = await readFile('docs/team.md', 'utf8');
  const line = page.split('\n').find((text) => text.startsWith('- **Store.**')) ?? '';
  const [named = ''] = line.split('. With');
  const kinds = named.match(/[a-z]+(?=:)|folder of this machine/g)?.map((word) => word.split(' ')[0]);
  expect(kinds?.sort()).toEqual([...kindNames].sort());
}

const answer = sends(
  200,
  JSON.stringify({ choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Done.' } }] }),
);

/**
 * `strata serve` takes a request with this store, and then a command of the inspector pins in the stored conversation.
 */
export async function expectStarts(command: string, place: string): Promise<void> {
  const tenant = newTenant('acme');
  const folder = await newFolder('tenants');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'tenants'), `${tenant.line}\n`);
  const upstream = await startUpstream(answer);
  const options = ['--json', '--tenants', join(folder, 'tenants'), '--store', place, '--openai', `${upstream.url}/v1`];
  const child = spawn(process.execPath, [command, 'serve', ...options], { stdio: ['ignore', 'pipe', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = await addressOf(child);
  const response = await fetch(`${url}/${tenant.token}/openai/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-strata-conversation': 'thread-7' },
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Fix the loader.' }] }),
  });
  expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Done.')]);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  const inStore = ['--in', place, '--tenant', 'acme'];
  await run(process.execPath, [command, ...inStore, 'pin', 'thread-7', '--constraint', 'Never push.']);
  const { stdout } = await run(process.execPath, [command, ...inStore, 'inspect', 'thread-7']);
  expect(stdout).toContain('Never push.');
}

/** The address at which it listens. Rejects with the output if the process ends instead. */
async function addressOf({ stdout, stderr }: ChildProcess): Promise<string> {
  let said = '';
  stderr?.on('data', (text) => {
    said += text;
  });
  let text = '';
  for await (const data of stdout ?? []) {
    text += data;
    if (text.trimEnd().endsWith('}')) return JSON.parse(text).url;
  }
  throw new Error(`strata serve ended: ${said}`);
}
