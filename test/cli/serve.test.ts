import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { newTenant } from '../../extension/gateway/admission';
import { buildTimeoutMs, built } from '../builders/built';
import { newFolder } from '../conversations/stores/stores';
import { listening, sends, startUpstream, streams, type Upstream } from '../gateway/upstream';

/** Tests of `strata serve` as the person who runs it for a team sees it. */

const acme = newTenant('acme');
const globex = newTenant('globex');
const key = 'b2'.repeat(32);

const answer = sends(
  200,
  JSON.stringify({
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'Done.' } }],
    usage: { prompt_tokens: 90, completion_tokens: 7, total_tokens: 97 },
  }),
);

let command: string;
beforeAll(async () => {
  command = join(await built('cli'), 'cli/strata.js');
}, buildTimeoutMs);

interface Served {
  readonly url: string;
  readonly child: ChildProcess;
  readonly tenants: string;
  readonly store: string;
  /** The text on standard error. */
  log(): string;
}

interface Order {
  readonly upstream: Upstream;
  readonly store?: string;
  readonly options?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

async function serving({ upstream, store, options = [], env = {} }: Order): Promise<Served> {
  const tenants = join(await newFolder('tenants'), 'tenants');
  await writeFile(tenants, `${acme.line}\n`);
  const place = store ?? (await newFolder('serve'));
  const words = ['serve', '--json', '--tenants', tenants, '--store', place, '--openai', `${upstream.url}/v1`];
  const child = spawn(process.execPath, [command, ...words, ...options], { env: { ...process.env, ...env } });
  onTestFinished(() => void child.kill('SIGKILL'));
  let log = '';
  child.stderr.on('data', (text) => {
    log += text;
  });
  let text = '';
  for await (const data of child.stdout) {
    text += data;
    if (text.trimEnd().endsWith('}')) break;
  }
  if (text === '') throw new Error(log);
  return { url: JSON.parse(text).url, child, tenants, store: place, log: () => log };
}

function asked(url: string, token: string, content = 'a question of the person', more: object = {}): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-strata-conversation': 'thread-7' };
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content }], ...more });
  return fetch(`${url}/${token}/openai/v1/chat/completions`, { method: 'POST', headers, body });
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null) await once(child, 'exit');
  return child.exitCode;
}

it('reads its tenants again when their file changes, ends a token that was taken out, and keeps those of a file with a mistake', async () => {
  const { url, tenants, child, log } = await serving({ upstream: await startUpstream(answer) });
  expect((await asked(url, acme.token)).status).toBe(200);
  await writeFile(`${tenants}.new`, `${globex.line}\n`);
  await rename(`${tenants}.new`, tenants);
  await expect.poll(async () => (await asked(url, acme.token)).status, { timeout: 20_000 }).toBe(401);
  expect((await asked(url, globex.token)).status).toBe(200);
  await writeFile(tenants, `${acme.line}\nglobex plain-text\n`);
  child.kill('SIGHUP');
  await expect.poll(log, { timeout: 20_000 }).toContain(`${tenants}:2: expected`);
  expect((await asked(url, globex.token)).status).toBe(200);
  expect((await asked(url, acme.token)).status).toBe(401);
}, 60_000);

it('logs the tenant and the outcome of each request, without texts and tokens', async () => {
  const { url, log } = await serving({ upstream: await startUpstream(answer) });
  await (await asked(url, acme.token)).text();
  await (await asked(url, 'w'.repeat(32))).text();
  const lines = () =>
    log()
      .split('\n')
      .filter((line) => line.includes('"request"'))
      .map((line) => JSON.parse(line));
  await expect.poll(lines).toHaveLength(2);
  const common = { method: 'POST', path: '/openai/chat/completions', isWhole: true };
  expect(lines()).toMatchObject([
    { ...common, tenant: 'acme', conversation: 'thread-7', status: 200, model: 'm', tokens: expect.any(Number) },
    { ...common, tenant: null, conversation: 'thread-7', status: 401 },
  ]);
  for (const secret of ['question', acme.token, 'w'.repeat(32)]) expect(log()).not.toContain(secret);
}, 60_000);

it('does not start on a store that was begun with another key, or without one, and says so', async () => {
  const upstream = await startUpstream(answer);
  const { store } = await serving({ upstream, env: { STRATA_STORE_KEY: key } });
  const other = { STRATA_STORE_KEY: 'c3'.repeat(32) };
  await expect(serving({ upstream, store, env: other })).rejects.toThrow(/STRATA_STORE_KEY: .*another key/);
  await expect(serving({ upstream, store })).rejects.toThrow('STRATA_STORE_KEY: This store is encrypted');
  const listing = promisify(execFile)(process.execPath, [command, '--in', store, '--tenant', 'acme', 'conversations']);
  await expect(listing).rejects.toThrow('STRATA_STORE_KEY: This store is encrypted');
  const plain = await serving({ upstream });
  await expect(serving({ upstream, store: plain.store, env: other })).rejects.toThrow(/without one/);
}, 60_000);

it('answers a large body with 503 if there is no room, after it has come', async () => {
  const upstream = await startUpstream(() => undefined);
  const { url } = await serving({ upstream, options: ['--in-flight', '1'] });
  const open = asked(url, acme.token);
  await expect.poll(() => upstream.received.length).toBe(1);
  const refused = await asked(url, acme.token, 'x'.repeat(20_000_000));
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await refused.json()).toMatchObject({ error: { type: 'server_error' } });
  await upstream.stop();
  expect((await open).status).toBe(502);
}, 60_000);

it('tells a balancer not to buffer a streamed answer', async () => {
  const piece = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: 'Done.' } }] })}\n\n`;
  const upstream = await startUpstream(streams(piece, 'data: [DONE]\n\n'));
  const { url } = await serving({ upstream });
  const streamed = await asked(url, acme.token, 'Go on.', { stream: true });
  expect(streamed.headers.get('x-accel-buffering')).toBe('no');
  upstream.behaviour = answer;
  expect((await asked(url, acme.token)).headers.get('x-accel-buffering')).toBe(null);
}, 60_000);

it('is not ready after a signal to end, and still accepts requests while it drains', async () => {
  const { url, child } = await serving({ upstream: await startUpstream(answer), options: ['--drain', '3'] });
  child.kill('SIGTERM');
  await expect.poll(async () => (await fetch(`${url}/ready`)).status).toBe(503);
  const late = await asked(url, acme.token);
  expect([late.status, late.headers.get('connection')]).toEqual([200, 'close']);
  expect(await ended(child)).toBe(0);
}, 60_000);

it('sends spans and metrics where the variables of OpenTelemetry say, those of the last request too', async () => {
  const paths: string[] = [];
  const bodies: string[] = [];
  const collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    paths.push(request.url ?? '');
    bodies.push(Buffer.concat(chunks).toString());
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  const address = await listening(collector);
  onTestFinished(() => {
    collector.close();
    collector.closeAllConnections();
  });
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: address, OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test' };
  const { url, child } = await serving({ upstream: await startUpstream(answer), env });
  await (await asked(url, acme.token)).text();
  child.kill('SIGTERM');
  expect(await ended(child)).toBe(0);
  expect([...new Set(paths)].sort()).toEqual(['/v1/metrics', '/v1/traces']);
  const sent = bodies.join('\n');
  for (const name of ['chat m', 'gen_ai.client.operation.duration', 'gen_ai.client.token.usage', 'strata.context.size'])
    expect(sent).toContain(`"${name}"`);
  for (const name of ['"strata"', 'service.instance.id', 'deployment.environment.name', '"thread-7"'])
    expect(sent).toContain(name);
  expect(sent).not.toContain('a question of the person');
}, 60_000);

it('says once that a collector cannot be reached, and that it has no other exporter', async () => {
  const env = {
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
    OTEL_METRICS_EXPORTER: 'prometheus',
    OTEL_BSP_SCHEDULE_DELAY: '50',
    // An exporter tries again until this time is over.
    OTEL_EXPORTER_OTLP_TIMEOUT: '1000',
  };
  const { url, log, child } = await serving({ upstream: await startUpstream(answer), env });
  for (let at = 0; at < 3; at += 1) await (await asked(url, acme.token)).text();
  child.kill('SIGTERM');
  expect(await ended(child)).toBe(0);
  expect(log()).toContain('OTEL_METRICS_EXPORTER: there is no exporter \\"prometheus\\"');
  expect(log().match(/OpenTelemetry: /g)).toHaveLength(1);
}, 60_000);
