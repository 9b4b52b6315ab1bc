import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, it, onTestFinished } from 'vitest';
import { countWithO200k } from '../../extension/engine/conversation/tokenizer';
import { createConversations } from '../../extension/library/conversations';
import { compactingFetch } from '../../extension/library/fetch';
import { modelServer, sends } from '../builders/model-server';
import { type Agent, type AgentSetting, chatAgent, messagesAgent, responsesAgent } from './sdk-agents';
import { orphans, startWindowedServer, type WindowedServer } from './windowed-server';

const window = 16_000;
const constraint = 'Never touch the file billing.ts.';
const pins = [{ kind: 'constraint', text: constraint }] as const;

const agents: readonly (readonly [string, (setting: AgentSetting) => Agent])[] = [
  ['OpenAI Chat Completions', chatAgent],
  ['OpenAI Responses', responsesAgent],
  ['Anthropic Messages', messagesAgent],
];

for (const [name, agent] of agents) {
  describe(`an agent with ${name}`, () => {
    for (const streams of [true, false]) {
      it(`works 30 turns in a window of 16,000 tokens, ${streams ? 'streaming' : 'not streaming'}`, async () => {
        const server = await windowedServer();
        const notices: string[] = [];
        const conversations = await createConversations({ window, pins, onNotice: (notice) => notices.push(notice) });
        const run = agent({ address: server.address, fetch: compactingFetch(conversations), streams });
        for (let turn = 1; turn <= 30; turn += 1) await run(`Turn ${turn}: read two files.`);
        expect(server.arrived).toHaveLength(60);
        expect(server.arrived.filter(({ isTooLong }) => isTooLong)).toEqual([]);
        expect(server.arrived.flatMap(({ request }) => orphans(request))).toEqual([]);
        expect(server.arrived.filter(({ body }) => !JSON.stringify(body).includes(constraint))).toEqual([]);
        expect(conversations.contexts).toHaveLength(1);
        expect(conversations.newest?.compactions.length).toBeGreaterThan(0);
        expect(repliesWithUsage(conversations.newest?.entries ?? [])).toBe(60);
        expect(notices).toEqual([]);
      }, 120_000);
    }

    it('overflows without it', async () => {
      const server = await windowedServer();
      const run = agent({ address: server.address, fetch, streams: true });
      const work = async () => {
        for (let turn = 1; turn <= 30; turn += 1) await run(`Turn ${turn}: read two files.`);
      };
      await expect(work()).rejects.toThrow('The context is too long.');
    }, 60_000);
  });
}

describe('a long system prompt', () => {
  const half = 8_000;
  const system = longPrompt(half);

  for (const [name, agent] of agents) {
    it(`a long system prompt of ${half} tokens leaves its room if the provider reports no usage (${name})`, async () => {
      const server = await windowedServer();
      const conversations = await createConversations({ window, onNotice: () => undefined });
      const fetch = compactingFetch(conversations, { fetch: withoutUsage });
      const run = agent({ address: server.address, fetch, streams: false, system });
      for (let turn = 1; turn <= 30; turn += 1) await run(`Turn ${turn}: read two files.`);
      expect(server.arrived).toHaveLength(60);
      expect(server.arrived.filter(({ isTooLong }) => isTooLong)).toEqual([]);
      expect(repliesWithUsage(conversations.newest?.entries ?? [])).toBe(0);
    }, 120_000);
  }

  const hi = { role: 'user', content: 'Hi' };
  it.each([
    ['chat/completions', { messages: [{ role: 'system', content: system }, hi] }],
    ['chat/completions', { messages: [{ role: 'developer', content: [{ type: 'text', text: system }] }, hi] }],
    ['responses', { instructions: system, input: [hi] }],
    ['responses', { input: [{ role: 'developer', content: system }, hi] }],
    ['messages', { system, messages: [hi] }],
    ['messages', { system: [{ type: 'text', text: system }], messages: [hi] }],
    ['messages', { messages: [{ role: 'system', content: system }, hi] }],
  ])('a long system prompt is kept and counted wherever it stands (%s, %#)', async (path, body) => {
    const conversations = await createConversations({ window });
    const through = compactingFetch(conversations, { fetch: async () => new Response(null, { status: 204 }) });
    await through(`http://model.test/v1/${path}`, { method: 'POST', body: JSON.stringify({ model: 'm', ...body }) });
    const [prompt, asked] = conversations.newest?.current.messages ?? [];
    expect(prompt).toMatchObject({ role: 'system', parts: [{ type: 'text', text: system }] });
    expect(prompt?.tokens).toBeGreaterThanOrEqual(countWithO200k(system));
    expect(asked).toMatchObject({ role: 'user', parts: [{ type: 'text', text: 'Hi' }] });
  });
});

describe('a request through compactingFetch', () => {
  it('goes out byte for byte while nothing is compacted or pinned, and so does its answer', async () => {
    const body = `{"model":"m",  "messages":[{"role":"user","content":"h\\u00e9","x":1.0}], "unknown":12345678901234567890}`;
    const answer = '{"choices":[{"index":0,"message":{"role":"assistant","content":"Hi"}}], "odd" : 1e2}';
    const sent: string[] = [];
    const send: typeof fetch = async (_url, init) => {
      sent.push(await new Response(init?.body ?? null).text());
      return new Response(answer, { headers: { 'content-type': 'application/json' } });
    };
    const through = compactingFetch({ window }, { fetch: send });
    for (const given of [body, new TextEncoder().encode(body), new Blob([body]), new Response(body).body]) {
      const response = await through('http://model.test/v1/chat/completions', { method: 'POST', body: given });
      expect(await response.text()).toBe(answer);
    }
    await through(new Request('http://model.test/v1/chat/completions', { method: 'POST', body }));
    expect(sent).toEqual([body, body, body, body, body]);
  });

  it('passes to other paths, and as a form, with the very arguments', async () => {
    const given: unknown[] = [];
    const send: typeof fetch = async (...all) => {
      given.push(all);
      return new Response('fine');
    };
    const through = compactingFetch({ window }, { fetch: send });
    const models = ['http://model.test/v1/models', { headers: { 'x-own': '1' } }] as const;
    const form = ['http://model.test/v1/chat/completions', { method: 'POST', body: new FormData() }] as const;
    await through(...models);
    await through(...form);
    expect(given).toEqual([models, form]);
    expect((given[1] as typeof form)[1]).toBe(form[1]);
  });

  it('keeps the other options of the caller', async () => {
    const inits: (RequestInit | undefined)[] = [];
    const send: typeof fetch = async (_url, init) => {
      inits.push(init);
      return new Response('{}');
    };
    const body = '{"model":"m","messages":[]}';
    const own = { method: 'POST', body, credentials: 'include', redirect: 'error', keepalive: true } as const;
    await compactingFetch({ window, onNotice: () => undefined }, { fetch: send })(
      'http://model.test/chat/completions',
      own,
    );
    expect(inits).toMatchObject([{ credentials: 'include', redirect: 'error', keepalive: true }]);
  });

  it('throws if the options cannot be right', () => {
    expect(() => compactingFetch({ window: 0 })).toThrow(RangeError);
  });

  it('keeps signatures, cache marks, pictures, parallel results and unknown fields', async () => {
    const server = await windowedServer();
    const client = new Anthropic({
      apiKey: 'secret',
      baseURL: server.address,
      fetch: compactingFetch({ window, pins }),
    });
    const picture = { type: 'base64' as const, media_type: 'image/png' as const, data: 'iVBORw0KGgo=' };
    const messages = [
      {
        role: 'user' as const,
        content: [{ type: 'image' as const, source: picture, cache_control: { type: 'ephemeral' as const } }],
      },
      {
        role: 'assistant' as const,
        content: [
          { type: 'thinking' as const, thinking: 'Hm.', signature: 'c2lnbmVk' },
          { type: 'redacted_thinking' as const, data: 'opaque' },
          { type: 'tool_use' as const, id: 't1', name: 'read_file', input: { b: 1, a: 2 } },
          { type: 'tool_use' as const, id: 't2', name: 'read_file', input: {} },
        ],
      },
      {
        role: 'user' as const,
        content: [
          { type: 'tool_result' as const, tool_use_id: 't2', content: 'two', of_tomorrow: { kept: true } },
          { type: 'tool_result' as const, tool_use_id: 't1', content: 'one', is_error: true },
        ],
      },
    ];
    await client.messages.create({ model: 'scripted', max_tokens: 10, messages });
    expect(server.arrived[0]?.body).toMatchObject({ max_tokens: 10, messages });
    expect(JSON.stringify(server.arrived[0]?.body.system)).toContain(constraint);
  });

  it('a request through compactingFetch is not compacted if the provider does that, and a notice says so once', async () => {
    const server = await windowedServer();
    const notices: string[] = [];
    const conversations = await createConversations({ window: 500, onNotice: (notice) => notices.push(notice) });
    const client = new OpenAI({
      apiKey: 'secret',
      baseURL: `${server.address}/v1`,
      fetch: compactingFetch(conversations),
    });
    const input = Array.from({ length: 30 }, (_, index) => ({
      role: index % 2 === 0 ? ('user' as const) : ('assistant' as const),
      content: `Message ${index}. ${'Some words about the work. '.repeat(20)}`,
    }));
    for (const end of [15, 29]) {
      await client.responses.create({ model: 'scripted', truncation: 'auto', input: input.slice(0, end) });
    }
    expect(server.arrived.map(({ body }) => body.input)).toEqual([input.slice(0, 15), input.slice(0, 29)]);
    expect(conversations.newest?.compactions).toEqual([]);
    expect(notices.filter((notice) => notice.includes('truncation'))).toHaveLength(1);
  });

  it('gets the error of the provider in the words of the provider', async () => {
    const server = await modelServer(
      sends('application/json', '{"error":{"message":"Slow down.","code":"rate"}}', 429),
    );
    const fetch = compactingFetch({ window });
    const client = new OpenAI({ apiKey: 'secret', baseURL: server.baseUrl, fetch, maxRetries: 0 });
    const asking = client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] });
    await expect(asking).rejects.toMatchObject({ status: 429, code: 'rate' });
  });
});

/** A prompt of about this many tokens. */
function longPrompt(tokens: number): string {
  const rule = ' Read each file before you change it.';
  return `You are careful.${rule.repeat(Math.ceil(tokens / countWithO200k(rule)))}`;
}

/** Answers as servers do that report no usage. */
const withoutUsage: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const { usage: _usage, ...answer } = await response.json();
  return Response.json(answer, { status: response.status });
};

function repliesWithUsage(entries: readonly { readonly role: string; readonly usage?: object }[]): number {
  return entries.filter(({ role, usage }) => role === 'assistant' && usage !== undefined).length;
}

async function windowedServer(): Promise<WindowedServer> {
  const server = await startWindowedServer(window);
  onTestFinished(() => server.close());
  return server;
}
