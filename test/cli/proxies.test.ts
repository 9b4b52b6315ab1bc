import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildTimeoutMs, built } from '../builders/built';
import { modelServer, replies } from '../builders/model-server';
import { startProxy } from '../builders/proxy';

/**
 * Tests of the usual variables for proxies, with a real proxy on the loopback interface and the built program in a
 * process of its own.
 */

let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-proxies-'));
  program = join(await built('cli'), 'cli/strata.js');
}, buildTimeoutMs);

afterAll(() => rm(folder, { recursive: true, force: true }));

const session = resolve(import.meta.dirname, '../fixtures/pi-v1/until-after-first-compaction.jsonl');

async function proxyTo(baseUrl: string) {
  const proxy = await startProxy(baseUrl);
  onTestFinished(proxy.close);
  return proxy;
}

async function compactWith(baseUrl: string, variables: NodeJS.ProcessEnv): Promise<string> {
  const journal = await mkdtemp(join(folder, 'journal-'));
  const model = ['--summarizer', 'openai', '--base-url', baseUrl, '--model', 'scripted'];
  const args = ['--journal', journal, 'compact', session, '--strategy', 'checkpoint', '--dry-run', ...model];
  const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, ...variables } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (printed += chunk));
  await once(child, 'close');
  return printed;
}

const summary = 'The agent wrote `parser.ts`, and its tests pass.';

describe('a proxy in the environment', () => {
  it('a model of another machine is asked through the proxy that the environment names', async () => {
    const server = await modelServer(replies({ text: summary }));
    const proxy = await proxyTo(server.baseUrl);
    const printed = await compactWith('http://provider.test/v1', { HTTP_PROXY: proxy.url, NO_PROXY: '' });
    expect(server.asked.length, printed).toBeGreaterThan(0);
    expect(proxy.asked[0]).toContain('provider.test');
  }, 60_000);

  it('a model of this machine is asked without the proxy', async () => {
    const server = await modelServer(replies({ text: summary }));
    const proxy = await proxyTo(server.baseUrl);
    const printed = await compactWith(server.baseUrl, { HTTP_PROXY: proxy.url, http_proxy: proxy.url });
    expect(server.asked.length, printed).toBeGreaterThan(0);
    expect(proxy.asked).toEqual([]);
  }, 60_000);

  it('a proxy that does not answer is a failure that names the server', async () => {
    const printed = await compactWith('http://provider.test/v1', { HTTP_PROXY: 'http://127.0.0.1:9' });
    expect(printed).toMatch(/provider\.test/);
  }, 60_000);
});
