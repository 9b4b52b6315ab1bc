import { describe, expect, it } from 'vitest';
import { addressOf } from '../../extension/gateway/address';
import { GatewayNotStarted } from '../../extension/gateway/server';
import { temporaryFolders } from '../sessions/temporary';
import { apis, chatApi } from './apis';
import { ask, askJson } from './asking';
import { startRunning } from './running';
import { sends, startUpstream } from './upstream';

/** Tests of which requests the gateway accepts. */

const temporaryFolder = temporaryFolders();

async function closed() {
  const upstream = await startUpstream(sends(200, '{}'));
  const running = await startRunning({ upstream: upstream.url, folder: temporaryFolder() });
  return { upstream, ...running };
}

describe('the gateway', () => {
  it.each(apis)('refuses $name without its token, in the provider’s own words', async (api) => {
    const { upstream, gateway } = await closed();
    const body = api.body('Hi.');
    const wrong = `${gateway.token.slice(0, -1)}${gateway.token.endsWith('A') ? 'B' : 'A'}`;
    for (const [url, headers] of [
      [`${gateway.url}${api.path}`, {}],
      [`${gateway.url}/${wrong}${api.path}`, {}],
      [`${gateway.url}${api.path}`, { 'x-strata-token': wrong }],
      [`${gateway.url}${api.path}`, { authorization: `Bearer ${gateway.token}` }],
      [`${gateway.url}/${encodeURIComponent(`${gateway.token}/`)}${api.path}`, {}],
    ] as const) {
      const answer = await ask(url, { headers: { 'content-type': 'application/json', ...headers }, body });
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.body).error).toMatchObject({ message: expect.any(String), type: expect.any(String) });
      expect(JSON.parse(answer.body).type).toBe(api.name.startsWith('anthropic') ? 'error' : undefined);
      expect(answer.body).not.toContain(gateway.token);
    }
    expect(upstream.received).toEqual([]);
  });

  it('accepts the token in a header too, and does not forward it', async () => {
    const { upstream, gateway } = await closed();
    const { status } = await askJson(`${gateway.url}/openai/v1/embeddings`, {}, { 'X-Strata-Token': gateway.token });
    expect(status).toBe(200);
    expect(JSON.stringify(upstream.received[0]?.headers)).not.toContain(gateway.token);
    expect(upstream.received[0]?.path).toBe('/v1/embeddings');
  });

  it.each([
    ['a page', { origin: 'https://evil.test' }],
    ['a page of nowhere', { origin: 'null' }],
    ['a page of this machine', { origin: 'http://localhost:3000' }],
    ['a name that was resolved to this machine', { host: 'evil.test' }],
    ['such a name with the port', { host: 'localhost.evil.test:80' }],
    ['a name that begins like the address', { host: '127.0.0.1.evil.test' }],
  ])('refuses %s, whatever token it has', async (_, headers) => {
    const { upstream, address } = await closed();
    const answer = await ask(`${address}${chatApi.path}`, { headers, body: chatApi.body('Hi.') });
    expect(answer.status).toBe(403);
    expect(upstream.received).toEqual([]);
  });

  it.each(['localhost', 'LOCALHOST:1', '127.0.0.1', '[::1]:99'])('hears callers of %s', async (host) => {
    const { address } = await closed();
    expect((await ask(`${address}/openai/v1/models`, { method: 'GET', headers: { host } })).status).toBe(200);
  });

  it('the gateway has agents fall back from WebSockets to HTTP', async () => {
    const { upstream, address } = await closed();
    const headers = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-key': 'x',
      'sec-websocket-version': '13',
    };
    const answer = await ask(`${address}/openai/v1/responses`, { method: 'GET', headers });
    expect(answer.status).toBe(426);
    expect(upstream.received).toEqual([]);
  });

  it('explains at its own address how to configure agents for it', async () => {
    const { address } = await closed();
    const { status, body } = await ask(`${address}/`, { method: 'GET' });
    expect(status).toBe(200);
    for (const api of ['openai/v1', 'anthropic']) expect(body).toContain(`${address}/${api}`);
  });

  it('the gateway serves no other addresses', async () => {
    const { upstream, address } = await closed();
    for (const path of ['/openai/v2/models', '/openai/v1x/models', '/other', '/openai/v1/../../other']) {
      expect((await ask(`${address}${path}`, { method: 'GET' })).status).toBe(404);
    }
    expect(upstream.received).toEqual([]);
  });

  it('does not start with a short token, an invalid address or a port in use', async () => {
    const { gateway } = await closed();
    const place = { upstream: 'http://127.0.0.1:1', folder: temporaryFolder() };
    const port = Number(new URL(gateway.url).port);
    for (const more of [{ token: 'short' }, { token: 'has/a/slash/in/it/0' }, { port }]) {
      await expect(startRunning(place, {}, more)).rejects.toThrow(GatewayNotStarted);
    }
    const upstreams = { openai: 'file:///etc' };
    await expect(startRunning(place, {}, { upstreams })).rejects.toThrow(GatewayNotStarted);
  });
});

describe('an address', () => {
  it.each([
    ['/t/openai/v1/models', { token: 't', target: { kind: 'api', api: 'openai', path: '/models' } }],
    ['/t/openai/v1', { token: 't', target: { kind: 'api', api: 'openai', path: '' } }],
    ['/t/anthropic//v1/messages', { token: 't', target: { kind: 'api', api: 'anthropic', path: '//v1/messages' } }],
    ['/openai/v1/models', { token: null, target: { kind: 'api', api: 'openai', path: '/models' } }],
    ['/t', { token: 't', target: { kind: 'home' } }],
    ['/', { token: null, target: { kind: 'home' } }],
    ['/t/openai/v1x', { token: 't', target: { kind: 'unknown' } }],
  ])('%s', (path, expected) => {
    expect(addressOf(path)).toEqual(expected);
  });
});
