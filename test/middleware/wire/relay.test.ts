import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { createConversations } from '../../../extension/library/conversations';
import type { IncomingRequest, RecordedRequest } from '../../../extension/middleware/requests/recording';
import { BodyBytes } from '../../../extension/middleware/wire/body-bytes';
import { relay as relayed } from '../../../extension/middleware/wire/relay';
import {
  type Notice,
  notifyOnce,
  type PassingRequest,
  type RelayParts,
  sendWith,
} from '../../../extension/middleware/wire/relay-parts';
import { responseOf } from '../../../extension/models/http/answer';
import { collectGarbage } from '../../builders/collected-garbage';
import { deafAddress } from '../../builders/model-server';
import { type RawRequest, type RawServer, rawServer } from './raw-server';

const url = new URL('http://model.test/v1/chat/completions');
const body = '{"model":"m", "messages":[{"role":"user","content":"Hi — é"}], "later": 1.0}';
const finish = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const stream = { 'content-type': 'text/event-stream' };

describe('a request through the relay', () => {
  it('arrives byte for byte, with its query and its headers but those of the connection', async () => {
    const server = await rawServer((response) => response.end());
    const { parts } = await kept();
    const headers = {
      authorization: 'Bearer secret-key',
      'x-own': '1',
      te: 'trailers',
      connection: 'x-mine',
      'x-mine': '1',
      'accept-encoding': 'gzip',
      'content-length': '3',
      host: 'else.test',
      'proxy-authorization': 'Basic secret-key',
    };
    await relay(parts, asking(server.url, { headers: new Headers(headers) }));
    const [arrived] = server.received as [RawRequest];
    expect(arrived.body.toString()).toBe(body);
    expect(arrived.path).toBe('/v1/chat/completions?beta=1');
    expect(arrived.headers).toMatchObject({
      authorization: 'Bearer secret-key',
      'x-own': '1',
      'content-length': String(Buffer.byteLength(body)),
      host: server.url.host,
    });
    for (const name of ['te', 'x-mine', 'proxy-authorization']) expect(arrived.headers).not.toHaveProperty(name);
  });

  it.each([
    ['of another path', { url: '/v1/models', method: 'POST' }],
    ['of another method', { url: '/v1/chat/completions', method: 'PUT' }],
  ])('%s is not kept', async (_name, { url: path, method }) => {
    const server = await rawServer((response) => response.writeHead(201, { 'x-own': '1' }).end('fine'));
    const { parts, keep } = await kept();
    const response = await relay(parts, { ...asking(new URL(path, server.url)), method });
    expect([response.status, response.headers.get('x-own'), await response.text()]).toEqual([201, '1', 'fine']);
    expect(server.received[0]?.body.toString()).toBe(body);
    expect(keep).not.toHaveBeenCalled();
  });

  it.each([
    ['is no JSON', Buffer.from('{"model":'), {}],
    ['is no text', Buffer.from([0xff, 0xfe, 0x00]), {}],
    ['is encoded', gzipSync(body), { 'content-encoding': 'gzip' }],
    ['is longer than any model takes', Buffer.alloc(64 * 1024 * 1024 + 1, ' '), {}],
    ['goes on with what only the provider has', Buffer.from('{"input":"a","previous_response_id":"r"}'), {}],
  ])(
    'a request through the relay whose body %s is forwarded unchanged, with one notice',
    async (_name, bytes, headers) => {
      const server = await rawServer((response) => response.end('fine'));
      const { parts, keep, notices } = await kept();
      const request = asking(new URL('/v1/responses', server.url), {
        body: new BodyBytes([new Uint8Array(bytes)]),
        headers: new Headers(headers),
      });
      for (const _ of [1, 2]) expect(await (await relay(parts, request)).text()).toBe('fine');
      expect(server.received.map((one) => bytes.equals(one.body))).toEqual([true, true]);
      expect(keep).not.toHaveBeenCalled();
      expect(notices.map(({ kind }) => kind)).toEqual(['unread']);
    },
  );

  it.each([
    ['/v1/chat/completions', 'messages'],
    ['/v1/responses', 'input'],
    ['/v1/messages', 'messages'],
  ])(
    'a request through the relay to %s with tools nested too deeply to be written again is forwarded unchanged, with a notice',
    async (path, list) => {
      const schema = `${'{"items":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
      const deep = `{"model":"m","${list}":[{"role":"user","content":"Hi"}],"tools":[{"name":"read","schema":${schema}}]}`;
      const server = await rawServer((response) => response.end('fine'));
      const { parts, keep, notices } = await kept();
      const request = asking(new URL(path, server.url), { body: new BodyBytes([new TextEncoder().encode(deep)]) });
      expect(await (await relay(parts, request)).text()).toBe('fine');
      expect(server.received[0]?.body.toString() === deep).toBe(true);
      expect(keep).not.toHaveBeenCalled();
      expect(notices.map(({ kind }) => kind)).toEqual(['failed']);
    },
  );

  it('a request through the relay that cannot be stored is forwarded unchanged', async () => {
    const server = await rawServer((response) => response.end('fine'));
    const { parts, notices } = await kept();
    const broken = { ...parts, keep: () => Promise.reject(new Error('The disk is full.')) };
    expect(await (await relay(broken, asking(server.url))).text()).toBe('fine');
    expect(server.received[0]?.body.toString()).toBe(body);
    expect(notices).toEqual([{ kind: 'failed', message: expect.stringContaining('The disk is full.') }]);
  });

  it('follows no redirection with the keys of the person', async () => {
    const server = await rawServer((response) => response.writeHead(307, { location: 'http://else.test/' }).end());
    const { parts } = await kept();
    const response = await relay(parts, asking(server.url));
    expect([response.status, response.headers.get('location')]).toEqual([307, 'http://else.test/']);
  });

  it('leaves no key in what is kept', async () => {
    const server = await rawServer((response) => response.writeHead(200, stream).end(said('Hi.') + finish));
    const { parts, conversations, outcome, notices } = await kept();
    const headers = new Headers({ authorization: 'secret-1', 'x-api-key': 'secret-2', cookie: 'secret-3' });
    await (await relay(parts, asking(server.url, { headers }))).text();
    expect(await outcome()).toEqual({ said: 'Hi.', ended: [['answered']], done: 1 });
    const context = conversations.newest;
    expect(JSON.stringify([context?.entries, context?.current, notices])).not.toContain('secret');
    expect(context?.entries.at(-1)).toMatchObject({ role: 'assistant', parts: [{ type: 'text', text: 'Hi.' }] });
  });
});

describe('an answer through the relay', () => {
  it('comes as it streams, byte for byte', async () => {
    const rest = Promise.withResolvers<void>();
    const first = said('Hi — é').slice(0, -4);
    const server = await rawServer((response) => {
      response.writeHead(200, 'Fine', { ...stream, 'x-request-id': 'r1', 'set-cookie': ['a=1', 'b=2'] });
      response.write(first);
      void rest.promise.then(() => response.end(`"}}]}\n\n${finish}`));
    });
    const { parts, outcome } = await kept();
    const response = await relay(parts, asking(server.url));
    expect([response.status, response.statusText, response.headers.get('x-request-id')]).toEqual([200, 'Fine', 'r1']);
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    const reader = bodyOf(response).getReader();
    const chunk = await reader.read();
    expect(new TextDecoder().decode(chunk.value)).toBe(first);
    rest.resolve();
    expect(await restOf(reader)).toBe(`"}}]}\n\n${finish}`);
    await outcome();
  });

  it('an answer through the relay is not read before it is asked for', async () => {
    let pulls = 0;
    const source = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulls += 1;
          controller.enqueue(new TextEncoder().encode(said(`${pulls} `)));
        },
      },
      { highWaterMark: 0 },
    );
    const { parts } = await kept();
    const sending = { ...parts, send: sendWith(async () => new Response(source, { headers: stream })) };
    const response = await relay(sending, asking(url));
    await new Promise((resolve) => setImmediate(resolve));
    expect(pulls).toBe(0);
    await bodyOf(response).getReader().read();
    await new Promise((resolve) => setImmediate(resolve));
    expect(pulls).toBe(1);
  });

  it('may be a novel', async () => {
    const line = said('And then they walked on, as they had walked on before, and nothing happened. '.repeat(10));
    const novel = line.repeat(6_000) + finish;
    const server = await rawServer((response) => response.writeHead(200, stream).end(novel));
    const { parts, outcome } = await kept();
    expect((await (await relay(parts, asking(server.url))).text()) === novel).toBe(true);
    const { said: text, ended } = await outcome();
    expect([text.length > 4_000_000, ended]).toEqual([true, [['answered']]]);
  });

  it('an answer through the relay is decoded if the provider encodes it though it was not asked to', async () => {
    const text = said('Hi.') + finish;
    const server = await rawServer((response) =>
      response.writeHead(200, { ...stream, 'content-encoding': 'gzip' }).end(gzipSync(text)),
    );
    const { parts, outcome } = await kept();
    const response = await relay(parts, asking(server.url));
    expect([response.headers.get('content-encoding'), response.headers.get('content-length')]).toEqual([null, null]);
    expect(await response.text()).toBe(text);
    expect(await outcome()).toEqual({ said: 'Hi.', ended: [['answered']], done: 1 });
  });

  it.each([
    ['413', 413, { 'content-type': 'application/json' }, '{"error":{"message":"Too large"}}'],
    ['429', 429, { 'content-type': 'application/json', 'retry-after': '7' }, '{"error":{"message":"Slow down"}}'],
    ['500', 500, { 'content-type': 'application/json' }, '{"error":{}}'],
    ['a 500 that reads like an answer', 500, stream, said('Hi.') + finish],
    ['a 502 of a proxy', 502, { 'content-type': 'text/html' }, '<html>Bad gateway</html>'],
    ['a web page', 200, { 'content-type': 'text/html' }, '<html>Sign in</html>'],
    ['bytes of no type', 200, {}, 'something'],
    ['an error in its stream', 200, stream, 'data: {"error":{"message":"overloaded"}}\n\n'],
    ['nothing at all', 204, {}, ''],
  ])(
    'an answer through the relay that is %s comes exactly so, and counts as failed',
    async (_name, status, headers, text) => {
      const server = await rawServer((response) => response.writeHead(status, headers).end(text));
      const { parts, outcome } = await kept();
      const response = await relay(parts, asking(server.url));
      expect(response.status).toBe(status);
      expect(Object.fromEntries(response.headers)).toMatchObject(headers);
      expect(await response.text()).toBe(text);
      expect(await outcome()).toEqual({ said: '', ended: [['failed']], done: 1 });
    },
  );

  it('an answer through the relay rejects as fetch does if the server cannot be reached', async () => {
    const { parts, outcome } = await kept();
    const address = new URL(`${await deafAddress()}/chat/completions`);
    await expect(relay(parts, asking(address))).rejects.toThrow('fetch failed');
    expect(await outcome()).toEqual({ said: '', ended: [['failed']], done: 1 });
  });

  it('an answer that the relay cannot read is passed on unchanged, and a notice says so', async () => {
    const deep = `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`;
    const call = `{"index":0,"id":"a","function":{"name":"read","arguments":${deep}}}`;
    const text = `data: {"choices":[{"index":0,"delta":{"tool_calls":[${call}]}}]}\n\n${finish}`;
    const server = await rawServer((response) => response.writeHead(200, stream).end(text));
    const { parts, outcome, notices } = await kept();
    expect((await (await relay(parts, asking(server.url))).text()) === text).toBe(true);
    expect((await outcome()).done).toBe(1);
    expect(notices.map(({ kind }) => kind)).toContain('failed');
  });

  it('an answer through the relay that is cut off breaks off, and the received part is kept', async () => {
    const server = await rawServer((response) => {
      response.writeHead(200, stream).write(said('Half'), () => response.destroy());
    });
    const { parts, outcome } = await kept();
    const response = await relay(parts, asking(server.url));
    await expect(response.text()).rejects.toThrow('terminated');
    expect(await outcome()).toEqual({ said: 'Half', ended: [['failed']], done: 1 });
  });

  it('an answer through the relay that does not come is called off', async () => {
    const arrived = Promise.withResolvers<void>();
    const server = await rawServer(() => arrived.resolve());
    const { parts, outcome } = await kept();
    const abort = new AbortController();
    const asked = relay(parts, asking(server.url, { signal: abort.signal }));
    await arrived.promise;
    abort.abort();
    await expect(asked).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    await server.abandoned;
    expect(await outcome()).toEqual({ said: '', ended: [['cancelled']], done: 1 });
  });

  it('an answer through the relay is called off in the middle', async () => {
    const server = await talking('Half');
    const { parts, outcome } = await kept();
    const abort = new AbortController();
    const response = await relay(parts, asking(server.url, { signal: abort.signal }));
    const reader = bodyOf(response).getReader();
    await reader.read();
    abort.abort();
    await expect(reader.read()).rejects.toThrow(expect.objectContaining({ name: 'AbortError' }));
    await server.abandoned;
    expect(await outcome()).toEqual({ said: 'Half', ended: [['cancelled']], done: 1 });
  });

  it('an answer through the relay is cancelled upstream when the client stops reading', async () => {
    const server = await talking('Half');
    const { parts, outcome } = await kept();
    const reader = bodyOf(await relay(parts, asking(server.url))).getReader();
    await reader.read();
    await reader.cancel();
    await server.abandoned;
    expect(await outcome()).toEqual({ said: 'Half', ended: [['cancelled']], done: 1 });
  });

  it('an answer through the relay is an answer if its reader hangs up after the last event', async () => {
    const server = await rawServer((response) => response.writeHead(200, stream).write(said('All.') + finish));
    const { parts, outcome } = await kept();
    const reader = bodyOf(await relay(parts, asking(server.url))).getReader();
    await reader.read();
    await reader.cancel();
    expect(await outcome()).toEqual({ said: 'All.', ended: [['answered']], done: 1 });
  });

  it('an answer through the relay is awaited without holding the body of the request', async () => {
    const { parts } = await kept();
    const answering = Promise.withResolvers<Response>();
    const sent = Promise.withResolvers<WeakRef<object>>();
    const send = sendWith((_url, init) => {
      sent.resolve(new WeakRef(init?.body as Uint8Array));
      return answering.promise;
    });
    const asked = relay({ ...parts, send }, asking(url));
    const sentBody = await sent.promise;
    await collectGarbage();
    expect(sentBody.deref()).toBeUndefined();
    answering.resolve(new Response('fine'));
    expect(await (await asked).text()).toBe('fine');
  });

  it('an answer through the relay is not requested if the request was aborted before', async () => {
    const server = await rawServer((response) => response.end());
    const { parts } = await kept();
    await expect(relay(parts, asking(server.url, { signal: AbortSignal.abort() }))).rejects.toThrow('aborted');
    expect(server.received).toEqual([]);
  });
});

function relay(parts: RelayParts, request: PassingRequest): Promise<Response> {
  return relayed(parts, request).then(responseOf);
}

function asking(url: URL, more: Partial<PassingRequest> = {}): PassingRequest {
  const { signal } = new AbortController();
  return {
    url,
    method: 'POST',
    headers: new Headers(),
    body: new BodyBytes([new TextEncoder().encode(body)]),
    identity: {},
    signal,
    ...more,
  };
}

function said(content: string): string {
  return `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
}

/** Sends a text and then keeps the connection open without sending anything. */
function talking(text: string): Promise<RawServer> {
  return rawServer((response) => response.writeHead(200, stream).write(said(text)));
}

/** Stores requests in memory, and records what happens to the answer to the first one. */
async function kept() {
  const conversations = await createConversations({ window: 16_000 });
  const over = Promise.withResolvers<void>();
  const first = Promise.withResolvers<RecordedRequest>();
  const done = vi.fn(() => over.resolve());
  const keep = vi.fn(async (request: IncomingRequest): Promise<RecordedRequest> => {
    const keeping = await conversations.keep(request);
    first.resolve({ ...keeping, done });
    if (keeping.answer) for (const act of ['add', 'end'] as const) vi.spyOn(keeping.answer, act);
    return { ...keeping, done };
  });
  const notices: Notice[] = [];
  const notify = notifyOnce((notice) => notices.push(notice));
  const parts: RelayParts = {
    keep,
    windowOf: () => 16_000,
    send: sendWith(fetch),
    notify,
    now: () => '2026-01-01T00:00:00.000Z',
  };
  const outcome = async () => {
    const { answer } = await first.promise;
    if (!answer) throw new Error('Nothing was kept.');
    await over.promise;
    const pieces = vi.mocked(answer.add).mock.calls.map(([piece]) => (piece.type === 'text' ? piece.text : ''));
    return { said: pieces.join(''), ended: vi.mocked(answer.end).mock.calls, done: done.mock.calls.length };
  };
  return { conversations, parts, keep, notices, outcome };
}

function bodyOf({ body: stream }: Response): ReadableStream<Uint8Array> {
  if (!stream) throw new Error('There is no body.');
  return stream;
}

async function restOf(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for (let next = await reader.read(); !next.done; next = await reader.read())
    text += decoder.decode(next.value, { stream: true });
  return text;
}
