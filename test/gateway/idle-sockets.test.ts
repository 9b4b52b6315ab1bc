import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { hashOfToken } from '../../extension/gateway/admission';
import { startTeamGateway } from '../../extension/gateway/gateway';
import { programWith } from '../library/many-agents';
import { type Behaviour, sends, startUpstream } from './upstream';

/** Tests that one tenant with many idle sockets does not stop the answers of another one. */

const megabyte = 1_000_000;
const tokens = { acme: 'a'.repeat(32), globex: 'g'.repeat(32) } as const;

const answer = sends(200, JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'Done.' } }] }));

async function started(behaviour: Behaviour = answer, graceMs = 60_000) {
  const upstream = await startUpstream(behaviour);
  const { conversations } = await programWith();
  const tenants = new Map(Object.entries(tokens).map(([name, token]) => [hashOfToken(token), name]));
  const gateway = await startTeamGateway({
    keep: (request) => conversations.keep(request),
    windowOf: (model) => conversations.windowOf(model),
    notify: () => undefined,
    ...{ host: '127.0.0.1', port: 0, mostBytes: 8 * megabyte, pace: { graceMs, bytesPerSecond: 8_000 } },
    tenants: () => tenants,
    upstreams: { openai: `${upstream.url}/v1` },
    balancing: { ready: async () => undefined, inMemory: () => 0 },
  });
  onTestFinished(() => gateway.stop({ drainMs: 0, graceMs: 0 }));
  return { upstream, url: gateway.url };
}

/**
 * Sends the head of a request and a part of its body, and then nothing. `answered`: what was received until the
 * connection ended.
 */
async function idle(url: string, length: string, body = '') {
  const { hostname, port } = new URL(url);
  const socket: Socket = connect(Number(port), hostname);
  onTestFinished(() => void socket.destroy());
  let text = '';
  socket.on('data', (data) => {
    text += data;
  });
  socket.on('error', () => undefined);
  const head = [`POST /${tokens.acme}/openai/v1/chat/completions HTTP/1.1`, 'host: strata', length, '', body];
  await new Promise<void>((resolve) => socket.write(head.join('\r\n'), () => resolve()));
  return new Promise<string>((resolve) => socket.once('close', () => resolve(text)));
}

async function asked(url: string, token: string, characters = 100): Promise<number> {
  const body = JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'x'.repeat(characters) }] });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`${url}/${token}/openai/v1/chat/completions`, { method: 'POST', headers, body });
  await response.text();
  return response.status;
}

it.each(['content-length: 67000000', 'transfer-encoding: chunked'])(
  'takes no room for what was only announced: %s',
  async (length) => {
    const { url } = await started();
    for (let at = 0; at < 300; at += 1) void idle(url, length);
    expect(await asked(url, tokens.globex, 3 * megabyte)).toBe(200);
    expect(await asked(url, tokens.acme, 3 * megabyte)).toBe(200);
  },
);

it('leaves the other tenant its room if one holds all that it can get', async () => {
  const { url } = await started();
  for (let at = 0; at < 50; at += 1) void idle(url, 'content-length: 4000000', 'x'.repeat(megabyte));
  // The share of the tenant is used up when its own request is refused.
  await expect.poll(() => asked(url, tokens.acme, 2 * megabyte), { timeout: 20_000 }).toBe(503);
  for (let at = 0; at < 5; at += 1) expect(await asked(url, tokens.globex, 3 * megabyte)).toBe(200);
});

it('ends a request whose body does not come, with an answer', async () => {
  const { url, upstream } = await started(answer, 50);
  const ends = await Promise.all([
    idle(url, 'content-length: 1000', 'x'),
    idle(url, 'transfer-encoding: chunked'),
    idle(url, 'content-length: 67000000', 'x'),
    // The body is larger than what is read, so it is forwarded while it arrives.
    idle(url, 'content-length: 80000000', 'x'),
  ]);
  for (const end of ends) expect(end).toMatch(/^HTTP\/1\.1 408 .*came too slowly/s);
  expect(upstream.received).toHaveLength(0);
});

it('does not count the time in which a provider takes a body slowly, or thinks', async () => {
  const slow: Behaviour = async (response, received) => {
    await delay(300);
    answer(response, received);
  };
  const { url } = await started(slow, 50);
  expect(await asked(url, tokens.acme, megabyte)).toBe(200);
});
