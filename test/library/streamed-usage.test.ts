import { expect, it, onTestFinished } from 'vitest';
import { createConversations } from '../../extension/library/conversations';
import { compactingFetch } from '../../extension/library/fetch';
import * as s from '../../extension/platform/json/schemas';
import { type Asked, type Behaviour, json, startModelServer } from '../builders/scripted-model-server';

const body = {
  model: 'scripted',
  stream: true,
  messages: [{ role: 'user', content: 'Name the "usage" of ü and 🦀. '.repeat(400) }],
};

const texts = ['The "usage', '":null of ü', ' and 🦀 is', ' {"usage":null}.'];

/**
 * A stream as OpenAI sends it: usage in a chunk of its own, and `"usage":null` in the chunks before it, both only if
 * the request asks for usage.
 */
function streamed({ body: asked }: Asked, newline: string): string {
  const isAsked = s.jsonRecord(asked.stream_options)?.include_usage === true;
  const more = isAsked ? ',"usage":null' : '';
  const choices = texts.map((text) => `"choices":[{"index":0,"delta":{"content":${JSON.stringify(text)}}}]`);
  const chunks = [
    ...choices,
    '"choices":[],"prompt_filter_results":[]',
    '"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]',
  ];
  const events = chunks.map((chunk) => `data: {"id":"chat-1",${chunk}${more}}`);
  const usage = 'data: {"id":"chat-1","choices":[],"usage":{"prompt_tokens":4321,"completion_tokens":7}}';
  return [...events, ...(isAsked ? [usage] : []), 'data: [DONE]', ''].join(newline.repeat(2));
}

/** Answers in pieces that may end anywhere, even within a character. */
function answers(newline = '\n'): Behaviour {
  return (response, asked) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const bytes = Buffer.from(streamed(asked, newline));
    void (async () => {
      for (let at = 0; at < bytes.length; at += 23) {
        response.write(bytes.subarray(at, at + 23));
        await new Promise((resolve) => setImmediate(resolve));
      }
      response.end();
    })();
  };
}

async function serverOf(...behaviours: readonly Behaviour[]) {
  const server = await startModelServer(...behaviours);
  onTestFinished(() => server.close());
  const ask = async (through: typeof fetch, asked: object = body) => {
    const response = await through(`${server.baseUrl}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify(asked),
    });
    return { status: response.status, text: await response.text() };
  };
  const conversations = await createConversations({ window: 16_000, onNotice: () => undefined });
  return { server, conversations, ask };
}

it.each(['\n', '\r\n'])(
  'a stream without usage is the same for the application, and calibrates (%j)',
  async (newline) => {
    const { server, conversations, ask } = await serverOf(answers(newline));
    const direct = await ask(fetch);
    expect(await ask(compactingFetch(conversations))).toEqual(direct);
    expect(server.asked.map((one) => one.body.stream_options)).toEqual([undefined, { include_usage: true }]);
    await expect.poll(() => conversations.newest?.entries.at(-1)?.usage).toMatchObject({ input: 4321 });
  },
);

it('a stream from which usage is removed does not announce its length', async () => {
  const { server, conversations } = await serverOf((response, asked) => {
    const text = streamed(asked, '\n');
    const headers = { 'content-type': 'text/event-stream', 'content-length': Buffer.byteLength(text) };
    response.writeHead(200, headers).end(text);
  });
  const lengthOf = async (through: typeof fetch) => {
    const init = { method: 'POST', body: JSON.stringify(body) };
    const { headers } = await through(`${server.baseUrl}/chat/completions`, init);
    return headers.get('content-length');
  };
  expect([await lengthOf(fetch), await lengthOf(compactingFetch(conversations))]).toEqual([expect.any(String), null]);
});

it.each([
  { stream_options: { include_usage: true } },
  { stream_options: { include_obfuscation: false } },
  { stream: false },
])('a request that says something about its usage goes out unchanged: %j', async (more) => {
  const { server, conversations, ask } = await serverOf(answers());
  const asked = { ...body, ...more };
  const direct = await ask(fetch, asked);
  expect(await ask(compactingFetch(conversations), asked)).toEqual(direct);
  expect(server.asked.at(-1)?.body).toEqual(asked);
});

const refusesField: Behaviour = (response, asked) =>
  'stream_options' in asked.body
    ? json(response, 400, { error: { message: 'Unrecognized request argument supplied: stream_options' } })
    : answers()(response, asked);

it('a server that refuses the field is asked without it, and never for it again', async () => {
  const { server, conversations, ask } = await serverOf(refusesField);
  const direct = await ask(fetch);
  const through = compactingFetch(conversations);
  expect(await ask(through)).toEqual(direct);
  expect(await ask(through)).toEqual(direct);
  expect(server.asked.map((one) => 'stream_options' in one.body)).toEqual([false, true, false, false]);
});

it('another refusal reaches the application unchanged', async () => {
  const refuses: Behaviour = (response) => json(response, 429, { error: { message: 'Slow down.' } });
  const { server, conversations, ask } = await serverOf(refuses);
  const direct = await ask(fetch);
  expect(await ask(compactingFetch(conversations))).toEqual(direct);
  expect(server.asked).toHaveLength(2);
});

it('a request that is small beside the window goes out unchanged', async () => {
  const { server, conversations, ask } = await serverOf(answers());
  const asked = { ...body, messages: [{ role: 'user', content: 'Hello.' }] };
  await ask(compactingFetch(conversations), asked);
  expect(server.asked.map((one) => one.body)).toEqual([asked]);
});
