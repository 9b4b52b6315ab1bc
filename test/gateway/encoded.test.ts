import { gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { startGateway } from '../../extension/gateway/gateway';
import { createConversations } from '../../extension/library/conversations';
import { type Behaviour, startModelServer } from '../builders/scripted-model-server';
import { begun } from './asking';

const answer = {
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: 'All is well.' } }],
  usage: { prompt_tokens: 12, completion_tokens: 3 },
};
const events = [
  'data: {"choices":[{"index":0,"delta":{"content":"All is well."},"finish_reason":"stop"}]}\n\n',
  'data: [DONE]\n\n',
].join('');

const packedJson = gzipSync(JSON.stringify(answer));
const packedEvents = gzipSync(events);

/** Compresses its answer as the request asks, as providers do. */
const packs: Behaviour = (response, { body, headers }) => {
  const [type, packed, plain] =
    body.stream === true
      ? ['text/event-stream', packedEvents, events]
      : ['application/json', packedJson, JSON.stringify(answer)];
  if (!/\bgzip\b/.test(String(headers['accept-encoding'])))
    response.writeHead(200, { 'content-type': type }).end(plain);
  else response.writeHead(200, { 'content-type': type, 'content-encoding': 'gzip' }).end(packed);
};

async function gatewayTo(behaviour: Behaviour, window = 100_000) {
  const server = await startModelServer(behaviour);
  const conversations = await createConversations({ window, onNotice: () => undefined });
  const gateway = await startGateway({
    keep: (request) => conversations.keep(request),
    windowOf: (model) => conversations.windowOf(model),
    notify: () => undefined,
    upstreams: { openai: server.baseUrl },
  });
  onTestFinished(async () => {
    await gateway.close();
    server.close();
  });
  const ask = async (body: object, accepted?: string) => {
    const headers = { 'content-type': 'application/json', ...(accepted ? { 'accept-encoding': accepted } : {}) };
    const url = `${gateway.url}/${gateway.token}/openai/v1/chat/completions`;
    const response = await begun(url, { headers, body: JSON.stringify(body) }).response;
    return {
      status: response.statusCode,
      encoding: response.headers['content-encoding'],
      bytes: Buffer.concat(await response.toArray()),
    };
  };
  return { server, conversations, ask };
}

const request = { model: 'm', tools: [], messages: [{ role: 'user', content: 'How is it?' }] };
const long = { ...request, messages: [{ role: 'user', content: 'How is it? '.repeat(4_000) }] };

it.each([
  ['an answer', request, packedJson],
  ['an answer to a long request', long, packedJson],
  ['a stream', { ...request, stream: true }, packedEvents],
  ['a stream to a long request', { ...long, stream: true, stream_options: { include_usage: true } }, packedEvents],
])('%s that the provider packed arrives with the same bytes, and is kept', async (_what, body, packed) => {
  const { server, conversations, ask } = await gatewayTo(packs);
  expect(await ask(body, 'br, gzip;q=0.5')).toEqual({ status: 200, encoding: 'gzip', bytes: packed });
  expect(server.asked[0]?.headers['accept-encoding']).toBe('gzip;q=0.5');
  await expect.poll(() => JSON.stringify(conversations.newest?.entries ?? '')).toContain('All is well.');
});

it('a client that accepts no compressed answers gets a plain one', async () => {
  const { server, ask } = await gatewayTo(packs);
  const { encoding, bytes } = await ask(request);
  expect(encoding).toBeUndefined();
  expect(JSON.parse(bytes.toString())).toEqual(answer);
  expect(server.asked[0]?.headers['accept-encoding']).toBe('identity');
});

it('a compressed answer that breaks off reaches the client up to that point', async () => {
  const half = packedEvents.subarray(0, packedEvents.length - 12);
  const { ask } = await gatewayTo((response) =>
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }).end(half),
  );
  expect((await ask({ ...request, stream: true }, 'gzip')).bytes).toEqual(half);
});

it('a packed refusal as too long is read, and the request is sent once more', async () => {
  const refusal = gzipSync(
    JSON.stringify({
      error: { message: "This model's maximum context length is 6000 tokens.", code: 'context_length_exceeded' },
    }),
  );
  let isFirst = true;
  const { server, ask } = await gatewayTo((response, asked) => {
    if (!isFirst) return packs(response, asked);
    isFirst = false;
    response.writeHead(400, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(refusal);
  });
  const call = (id: string) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } });
  const steps = Array.from({ length: 20 }, (_, at) => [
    { role: 'assistant', content: `Step ${at}.`, tool_calls: [call(`call-${at}`)] },
    { role: 'tool', tool_call_id: `call-${at}`, content: `Line of file ${at}. `.repeat(200) },
  ]).flat();
  const { status, bytes } = await ask({ ...request, messages: [...request.messages, ...steps] }, 'gzip');
  expect([status, server.asked.length]).toEqual([200, 2]);
  expect(bytes).toEqual(packedJson);
});
