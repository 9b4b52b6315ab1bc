import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { temporaryFolders } from '../sessions/temporary';
import { type Api, apis, chatApi } from './apis';
import { type Answer, ask, askJson, begun } from './asking';
import { startRunning } from './running';
import { type Behaviour, type Received, sends, startUpstream, streams, type Upstream } from './upstream';

/** Tests that provider and agent get the same through the gateway as without it. */

const temporaryFolder = temporaryFolders();

/** Headers that belong to one connection, and those that `docs/middleware.md` names as changed. */
const otherwise = new Set(['host', 'connection', 'accept-encoding', 'keep-alive', 'transfer-encoding']);

/** The order of headers with different names has no meaning. */
function onTheWire({ method, path, headers, body }: Received) {
  const kept = headers.filter(([name]) => !otherwise.has(name)).sort(([a], [b]) => (a < b ? -1 : 1));
  return { method, path, headers: kept, body: body.toString() };
}

function asTheAgentSeesIt({ status, headers, body, isCut }: Answer) {
  const { date: _date, connection: _connection, 'keep-alive': _keepAlive, ...rest } = headers;
  return { status, headers: rest, body, isCut };
}

async function both(upstream: Upstream, automation = true) {
  const running = await startRunning(
    { upstream: upstream.url, folder: temporaryFolder() },
    { automation: { enabled: automation } },
  );
  return { ...running, direct: upstream.url };
}

const agentHeaders = {
  'content-type': 'application/json',
  Authorization: 'Bearer sk-secret-1',
  'X-Api-Key': 'sk-secret-2',
  'anthropic-beta': 'one,two',
  'User-Agent': 'agent/1.0',
  'x-empty': '',
};

async function askBoth({ address, direct }: { address: string; direct: string }, api: Api, body: string) {
  const straight = await ask(`${direct}${api.upstreamPath}?beta=true&x=%2F`, { headers: agentHeaders, body });
  const through = await ask(`${address}${api.path}?beta=true&x=%2F`, { headers: agentHeaders, body });
  return { straight, through };
}

describe.each(apis)('$name through the gateway', (api) => {
  it.each([true, false])('is the same bytes both ways, with auto-compact %s', async (automation) => {
    const upstream = await startUpstream(api.answers('Fine.'));
    const place = await both(upstream, automation);
    for (const said of [['Hi.'], ['Hi.', 'Fine.', 'And “ünïcode” \u2028?']]) {
      const { straight, through } = await askBoth(place, api, api.body(...said));
      expect(asTheAgentSeesIt(through)).toEqual(asTheAgentSeesIt(straight));
    }
    const [one, oneThrough, two, twoThrough] = upstream.received.map(onTheWire);
    expect([oneThrough, twoThrough]).toEqual([one, two]);
    await expect.poll(() => place.log.map(({ sent }) => sent?.blocks)).toEqual([0, 0]);
    expect(place.notices).toEqual([]);
  });

  const faults: Record<string, Behaviour> = {
    'a page': sends(200, '<html>Sign in</html>', { 'content-type': 'text/html' }),
    'a page with an error': sends(502, '<html>Bad gateway</html>', { 'content-type': 'text/html' }),
    'too large': sends(413, '{"error":{"message":"too large"}}'),
    'too many': sends(429, '{"error":{"message":"slow down"}}', { 'retry-after': '7', 'x-should-retry': 'true' }),
    overloaded: sends(529, '{"type":"error"}'),
    'a redirection': sends(307, '', { location: 'https://elsewhere.test/' }),
    'no JSON': sends(200, '{"choices": [{'),
    nothing: sends(200, ''),
  };

  it.each(Object.keys(faults))('gives the agent what the provider gave: %s', async (name) => {
    const upstream = await startUpstream(faults[name] as Behaviour);
    const { straight, through } = await askBoth(await both(upstream), api, api.body('Hi.'));
    expect(asTheAgentSeesIt(through)).toEqual(asTheAgentSeesIt(straight));
  });

  it('breaks off if the provider breaks off', async () => {
    const upstream = await startUpstream((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"type":"message_start"}\n\n', () => response.destroy());
    });
    const { straight, through } = await askBoth(await both(upstream), api, api.body('Hi.'));
    expect(straight.isCut).toBe(true);
    expect(asTheAgentSeesIt(through)).toEqual(asTheAgentSeesIt(straight));
  });

  it('says in the format of the provider that it does not answer, and names no key', async () => {
    const upstream = await startUpstream(sends(200, '{}'));
    const { address, notices } = await both(upstream);
    await upstream.stop();
    const { status, body } = await ask(`${address}${api.path}?key=sk-secret-3`, {
      headers: agentHeaders,
      body: api.body('Hi.'),
    });
    expect(status).toBe(502);
    const { error } = JSON.parse(body);
    expect(error.message).toContain(new URL(upstream.url).host);
    expect(error.type).toEqual(expect.any(String));
    expect(body + notices.join()).not.toContain('sk-secret');
  });

  it('is no longer read if the agent disconnects in the middle of an answer', async () => {
    const upstream = await startUpstream((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {}\n\n');
    });
    const { address } = await both(upstream);
    const { sent, response } = begun(`${address}${api.path}`, { headers: agentHeaders, body: api.body('Hi.') });
    for await (const chunk of await response.then((one) => one.iterator({ destroyOnReturn: false }))) {
      expect(String(chunk)).toBe('data: {}\n\n');
      break;
    }
    sent.destroy();
    await expect.poll(() => upstream.abandoned.count).toBe(1);
    upstream.behaviour = api.answers('Fine.');
    const next = await ask(`${address}${api.path}`, { headers: agentHeaders, body: api.body('Hi.') });
    expect(next).toMatchObject({ status: 200, isCut: false });
  });
});

describe('what is no request for a reply', () => {
  it.each([
    ['GET', '/openai/v1/models?limit=2', '/v1/models?limit=2'],
    ['POST', '/openai/v1/responses/compact', '/v1/responses/compact'],
    ['DELETE', '/openai/v1/responses/r%201', '/v1/responses/r%201'],
    ['POST', '/anthropic/v1/messages/count_tokens?beta=true', '/v1/messages/count_tokens?beta=true'],
    ['HEAD', '/anthropic', '/'],
    ['HEAD', '/anthropic/', '/'],
  ])('passes untouched: %s %s', async (method, path, upstreamPath) => {
    const upstream = await startUpstream(sends(200, '{"object":"list"}', { 'x-ratelimit': '9' }));
    const { address, direct } = await both(upstream);
    const asking = { method, headers: agentHeaders, ...(method === 'POST' ? { body: '{ "a" :1}' } : {}) };
    const straight = await ask(`${direct}${upstreamPath}`, asking);
    const through = await ask(`${address}${path}`, asking);
    expect(asTheAgentSeesIt(through)).toEqual(asTheAgentSeesIt(straight));
    const [one, other] = upstream.received.map(onTheWire);
    expect(other).toEqual(one);
  });
});

describe('large and slow things', () => {
  it('100 MB go up unread, with a length and without, and the provider’s refusal comes back', async () => {
    const upstream = await startUpstream(sends(413, '{"error":{"message":"too large"}}'));
    const { address, log } = await both(upstream);
    const body = Buffer.from(chatApi.body('x'.repeat(100 * 1024 * 1024)));
    for (const length of [{ 'content-length': String(body.length) }, { 'transfer-encoding': 'chunked' }]) {
      const answer = await ask(`${address}${chatApi.path}`, { headers: { ...agentHeaders, ...length }, body });
      expect(answer).toMatchObject({ status: 413, body: '{"error":{"message":"too large"}}' });
    }
    expect(upstream.received.map((one) => one.body.equals(body))).toEqual([true, true]);
    await expect.poll(() => log.map(({ sent }) => sent)).toEqual([null, null]);
  });

  it('pieces of an answer arrive while the provider still writes', async () => {
    let finish: () => void = () => undefined;
    const upstream = await startUpstream((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: {"choices":[{"delta":{"content":"first"}}]}\n\n');
      finish = () => response.end();
    });
    const { address } = await both(upstream);
    const response = await begun(`${address}${chatApi.path}`, { headers: agentHeaders, body: chatApi.body('Hi.') })
      .response;
    let text = '';
    for await (const chunk of response) {
      text += chunk;
      finish();
    }
    expect(text).toContain('first');
  });

  it('an answer for HTTP/1.0, which has no pieces, arrives without their lengths', async () => {
    const upstream = await startUpstream(chatApi.answers('Fine.'));
    const { address } = await both(upstream);
    const { hostname, port, pathname } = new URL(`${address}${chatApi.path}`);
    const body = chatApi.body('Hi.');
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST ${pathname} HTTP/1.0\r\nhost: ${hostname}:${port}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
    );
    const response = Buffer.concat(await socket.toArray()).toString();
    const head = response.slice(0, response.indexOf('\r\n\r\n'));
    expect(head.toLowerCase()).not.toContain('transfer-encoding');
    expect(response.slice(head.length).trim()).toMatch(/^data: .*$/m);
    expect(response).toMatch(/data: \[DONE\]\n\n$/);
  });

  it('an answer that was packed all the same arrives unpacked', async () => {
    const { gzipSync } = await import('node:zlib');
    const upstream = await startUpstream((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(gzipSync('{"a":1}'));
    });
    const { address } = await both(upstream);
    const { headers, body } = await askJson(`${address}/openai/v1/embeddings`, { input: 'x' });
    expect({ encoding: headers['content-encoding'], body }).toEqual({ encoding: undefined, body: '{"a":1}' });
  });

  it('closing breaks off what is on its way', async () => {
    const upstream = await startUpstream(streams());
    upstream.behaviour = (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
    const { address, gateway } = await both(upstream);
    const response = await begun(`${address}${chatApi.path}`, { headers: agentHeaders, body: chatApi.body('Hi.') })
      .response;
    await gateway.close();
    await expect(response.toArray()).rejects.toThrow();
    await expect.poll(() => upstream.abandoned.count).toBe(1);
  });
});
