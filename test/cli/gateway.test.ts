import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildTimeoutMs, built } from '../builders/built';
import { chatApi } from '../gateway/apis';
import { ask } from '../gateway/asking';
import { startUpstream } from '../gateway/upstream';

/** Tests of the gateway as a person runs it: the built program, in a process of its own. */

let folder: string;
let program: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-gateway-cli-'));
  program = join(await built('cli'), 'cli/strata.js');
}, buildTimeoutMs);

afterAll(() => rm(folder, { recursive: true, force: true }));

interface Run {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  readonly ended: Promise<number | null>;
}

function strata(args: readonly string[], variables: NodeJS.ProcessEnv = {}): Run {
  const child = spawn(process.execPath, [program, ...args], { env: { ...process.env, ...variables } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += chunk;
  });
  return { child, output, ended: new Promise((done) => child.on('close', done)) };
}

const token = 'a-token-of-the-tests';

/** Says on standard error when a file is brought to the disk; what is brought there later, never is. */
const tellsOfSyncs = `
import { open } from 'node:fs/promises';
const file = await open(process.execPath);
const { datasync } = Object.getPrototypeOf(file);
Object.getPrototypeOf(file).datasync = function () {
  process.stderr.write('on the disk\\n');
  return datasync.call(this);
};
await file.close();
const later = setTimeout;
globalThis.setTimeout = (work, ms, ...more) => later(work, ms === 500 ? 1e9 : ms, ...more);`;

async function started(...args: string[]) {
  return await startedWith({}, ...args);
}

async function startedWith(variables: NodeJS.ProcessEnv, ...args: string[]) {
  const upstream = await startUpstream(chatApi.answers('Fine.'));
  const data = await mkdtemp(join(folder, 'data-'));
  const run = strata(
    ['gateway', '--json', '--folder', data, '--openai', `${upstream.url}/v1`, '--anthropic', upstream.url, ...args],
    { ...variables, STRATA_GATEWAY_TOKEN: token },
  );
  await expect.poll(() => `${run.output.stdout}${run.output.stderr}`, { timeout: 20_000 }).toMatch(/\}\n$/);
  return { ...run, upstream, data, start: JSON.parse(run.output.stdout) };
}

const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-secret-key' };

describe('strata gateway', () => {
  it('passes requests, keeps them as a session, obeys a pin of the command line, and ends with Ctrl+C', async () => {
    const { start, upstream, data, output, child, ended } = await started('--keep-one-offs');
    expect(start).toMatchObject({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/), token, folder: data });
    const url = `${start.url}/${token}${chatApi.path}`;
    expect(await ask(url, { headers, body: chatApi.body('Hi.') })).toMatchObject({ status: 200, isCut: false });
    expect(upstream.received[0]?.body.toString()).toBe(chatApi.body('Hi.'));
    const [name = ''] = await readdir(join(data, 'conversations'));
    const file = join(data, 'conversations', name);
    const pin = strata(['--journal', join(folder, 'elsewhere'), 'pin', file, '--constraint', 'Never push.']);
    expect(await pin.ended).toBe(0);
    await ask(url, { headers, body: chatApi.body('Hi.', 'Fine.', 'Go on.') });
    expect(upstream.received[1]?.body.toString()).toContain('Never push.');
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    await expect.poll(() => output.stderr).toMatch(/^POST \/openai\/chat\/completions 200 gpt-4o: \d+ tokens$/m);
    for (const secret of ['sk-secret-key', token]) expect(output.stderr).not.toContain(secret);
  });

  it.each([
    ['--durable', 4],
    ['--keep-one-offs', 0],
  ])('with %s waits for the disk %s times in two requests with their answers', async (option, times) => {
    const preload = join(folder, 'tells-of-syncs.mjs');
    await writeFile(preload, tellsOfSyncs);
    const variables = { NODE_OPTIONS: `--import ${pathToFileURL(preload)}` };
    const { start, output, child, ended } = await startedWith(variables, '--keep-one-offs', option);
    const url = `${start.url}/${token}${chatApi.path}`;
    await ask(url, { headers, body: chatApi.body('Hi.') });
    await ask(url, { headers, body: chatApi.body('Hi.', 'Fine.', 'Go on.') });
    await expect.poll(() => output.stderr.match(/^POST/gm)?.length, { timeout: 20_000 }).toBe(2);
    // The header is synced to the disk in any case. The agent may have its answer before the last answer is synced.
    const syncs = () => output.stderr.match(/^on the disk$/gm)?.length ?? 0;
    await expect.poll(syncs, { timeout: 20_000 }).toBeGreaterThan(times);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(syncs()).toBe(times + 1);
  });

  it('keeps no request that is asked once, such as for a title', async () => {
    const { start, data, child, ended } = await started();
    const url = `${start.url}/${token}${chatApi.path}`;
    expect(await ask(url, { headers, body: chatApi.body('Give this a title.') })).toMatchObject({ status: 200 });
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect(existsSync(join(data, 'conversations'))).toBe(false);
  });

  it('prints where to point each agent', async () => {
    const { start } = await started();
    expect(start.agents.map(({ agent }: { agent: string }) => agent)).toEqual([
      'Codex',
      'Claude Code',
      'pi',
      'OpenCode',
    ]);
    for (const { text } of start.agents) expect(text).toContain(`${start.url}/${token}/`);
  });

  it.each([
    [['--strategy', 'none-of-that-name'], 2],
    [['--set', 'checkpoint.nothing=1'], 2],
    [['--window', 'many'], 2],
    [['--window', '0'], 2],
    [['--schedule', 'often'], 2],
    [['--smallest-target', '0'], 2],
    [['--port', '70000'], 2],
    [['--token', 'short'], 2],
    [['--openai', 'nowhere'], 2],
    [['--openai', 'https://provider.test/v1#models'], 2],
    [['--anthropic', 'https://provider.test/#'], 2],
  ])('does not start with %o', async (args, code) => {
    const { ended, output } = strata(['gateway', '--folder', folder, ...args]);
    expect({ code: await ended, stdout: output.stdout }).toEqual({ code, stdout: '' });
    expect(output.stderr).not.toBe('');
  });

  it('says that its port is taken', async () => {
    const { start } = await started();
    const { ended, output } = strata(['gateway', '--port', new URL(start.url).port, '--folder', folder]);
    expect(await ended).toBe(1);
    expect(output.stderr).toContain(new URL(start.url).port);
  });
});
