import { createOpenAI } from '@ai-sdk/openai';
import {
  generateText,
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  streamText,
  ToolLoopAgent,
  tool,
  wrapLanguageModel,
} from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { strataMiddleware } from '../../extension/library/ai-sdk';
import { type Conversations, createConversations } from '../../extension/library/conversations';
import type { ConversationsOptions } from '../../extension/library/conversations-options';
import type { AiSdkCall, AiSdkMessage } from '../../extension/middleware/formats/ai-sdk-message';
import {
  type Behaviour,
  breaksAfter,
  fails,
  type ModelServer,
  says,
  stallsAfter,
  startModelServer,
} from '../builders/scripted-model-server';
import {
  constraint,
  messagesOf,
  modelWithWindow,
  note,
  orphanIn,
  question,
  readsTwoNotes,
  textIn,
  tokensOf,
} from '../middleware/frameworks/window-model';

const servers: ModelServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const window = 16_000;

const tools = {
  read_note: tool({
    description: 'Reads a note.',
    inputSchema: z.object({ name: z.string() }),
    execute: async ({ name }) => note(name),
  }),
};

const options: ConversationsOptions = { window, pins: [{ kind: 'constraint', text: constraint }] };

async function served(...behaviours: Behaviour[]) {
  const server = await startModelServer(...behaviours);
  servers.push(server);
  const plain = createOpenAI({ baseURL: server.baseUrl, apiKey: 'none' }).chat('gpt-4o-mini');
  const wrapped = (given: Conversations | ConversationsOptions) =>
    wrapLanguageModel({ model: plain, middleware: strataMiddleware(given) });
  return { server, plain, wrapped };
}

const instructions = 'You are a careful engineer.';

/** One loop of the SDK for one turn. It adds what was said to the messages. */
type Loop = (model: LanguageModel, messages: ModelMessage[]) => Promise<readonly ModelMessage[]>;

const generating: Loop = async (model, messages) =>
  (await generateText({ model, tools, instructions, messages, stopWhen: isStepCount(5), maxRetries: 0 }))
    .responseMessages;

const streaming: Loop = async (model, messages) => {
  const result = streamText({
    model,
    tools,
    instructions,
    messages,
    stopWhen: isStepCount(5),
    maxRetries: 0,
    onError: () => undefined,
  });
  await result.consumeStream();
  return await result.responseMessages;
};

const asAgent: Loop = async (model, messages) => {
  const agent = new ToolLoopAgent({ model, tools, instructions, maxRetries: 0 });
  return (await agent.generate({ messages })).responseMessages;
};

async function converse(
  model: LanguageModel,
  loop: Loop,
  turns: number,
  begun: readonly ModelMessage[] = [],
): Promise<ModelMessage[]> {
  const messages = [...begun];
  for (let turn = 0; turn < turns; turn += 1) {
    messages.push({ role: 'user', content: question(turn) });
    messages.push(...(await loop(model, messages)));
  }
  return messages;
}

describe.each<[string, Loop]>([
  ['generateText', generating],
  ['streamText', streaming],
  ['ToolLoopAgent', asAgent],
])('60 turns with tools in a window of 16,000 tokens, by %s', (_, loop) => {
  it('overflow as they are', async () => {
    const { plain } = await served(modelWithWindow(window, readsTwoNotes));
    await expect(converse(plain, loop, 60)).rejects.toThrow('maximum context length');
  });

  it('all turns pass through the middleware, with the constraint in every request', async () => {
    const { server, wrapped } = await served(modelWithWindow(window, readsTwoNotes));
    const conversations = await createConversations(options);
    const messages = await converse(wrapped(conversations), loop, 60);
    expect(messages.filter(({ role }) => role === 'tool')).toHaveLength(60);
    expect(server.asked).toHaveLength(120);
    for (const { body } of server.asked) {
      expect(tokensOf(body)).toBeLessThanOrEqual(window);
      expect(orphanIn(messagesOf(body.messages))).toBeNull();
      expect(JSON.stringify(body.messages)).toContain(constraint);
    }
    expect(conversations.contexts).toHaveLength(1);
    expect(conversations.newest?.compactions.length).toBeGreaterThan(0);
  });
});

describe('a call of a model', () => {
  it('asks the provider the very same while nothing is compacted', async () => {
    const alone = await served(modelWithWindow(window, readsTwoNotes));
    await converse(alone.plain, generating, 4, [withPicture]);
    const notices: string[] = [];
    const beside = await served(modelWithWindow(window, readsTwoNotes));
    await converse(beside.wrapped({ window, onNotice: (notice) => notices.push(notice) }), generating, 4, [
      withPicture,
    ]);
    expect(beside.server.asked.map(({ body }) => body)).toEqual(alone.server.asked.map(({ body }) => body));
    expect(notices).toEqual([]);
  });

  it('a call of a model is the very same object while nothing is compacted or pinned', async () => {
    const { model, asked } = recording();
    const params = { prompt: signed };
    await wrapLanguageModel({ model, middleware: strataMiddleware({ window }) }).doGenerate(params);
    expect(asked[0]).toBe(params);
  });

  it('a call of a model has the very messages that came in beside what is pinned', async () => {
    const { model, asked } = recording();
    await wrapLanguageModel({ model, middleware: strataMiddleware(options) }).doGenerate({ prompt: signed });
    const [system, core, ...others] = asked[0]?.prompt ?? [];
    expect(system).toBe(signed[0]);
    expect(JSON.stringify(core)).toContain(constraint);
    for (const [index, message] of others.entries()) expect(message).toBe(signed[index + 1]);
  });

  it('a call of a model is recorded with its answer and usage', async () => {
    const { wrapped } = await served(modelWithWindow(window, () => []));
    const conversations = await createConversations({ window });
    await converse(wrapped(conversations), streaming, 2);
    const { entries } = await keptIn(conversations);
    expect(entries.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant']);
    expect(conversations.newest?.tokens.source).toBe('reported');
  });

  it('a failed call throws the error of the provider, and the next call continues', async () => {
    const { wrapped } = await served(
      fails(500, 'The server had an error.'),
      modelWithWindow(window, () => []),
    );
    const conversations = await createConversations({ window });
    const model = wrapped(conversations);
    const messages: ModelMessage[] = [{ role: 'user', content: question(0) }];
    await expect(generating(model, messages)).rejects.toThrow('The server had an error.');
    await generating(model, messages);
    expect(conversations.contexts).toHaveLength(1);
    expect((await keptIn(conversations)).entries.map(({ role }) => role)).toEqual(['system', 'user', 'assistant']);
  });

  it('an aborted call records the text that had arrived', async () => {
    const { wrapped } = await served(stallsAfter('I begin.'));
    const conversations = await createConversations({ window });
    const abort = new AbortController();
    const { textStream } = streamText({
      model: wrapped(conversations),
      prompt: question(0),
      abortSignal: abort.signal,
      maxRetries: 0,
    });
    for await (const piece of textStream) if (piece.startsWith('I')) abort.abort();
    await expect.poll(async () => textsOf(await keptIn(conversations))).toContain('I begin.');
  });

  it('a call whose stream breaks off records the text that had arrived', async () => {
    const { wrapped } = await served(breaksAfter('I begin.'));
    const conversations = await createConversations({ window });
    const result = streamText({
      model: wrapped(conversations),
      prompt: question(0),
      maxRetries: 0,
      onError: () => undefined,
    });
    await result.consumeStream({ onError: () => undefined });
    expect(textsOf(await keptIn(conversations))).toContain('I begin.');
  });

  it('a call of a model is not compacted if the provider compacts it, and one notice says so', async () => {
    const { wrapped } = await served(modelWithWindow(1_000_000, readsTwoNotes));
    const notices: string[] = [];
    const conversations = await createConversations({ window: 4_000, onNotice: (notice) => notices.push(notice) });
    const model = wrapped(conversations);
    const elsewhere: Loop = async (each, messages) =>
      (
        await generateText({
          model: each,
          messages,
          tools,
          stopWhen: isStepCount(5),
          providerOptions: { anthropic: { contextManagement: { edits: [] } } },
        })
      ).response.messages;
    await converse(model, elsewhere, 8);
    expect(notices.filter((notice) => notice.includes('anthropic.contextManagement'))).toHaveLength(1);
    expect(conversations.newest?.compactions).toEqual([]);
  });

  it('a call whose history is at the provider passes unchanged', async () => {
    const { server, wrapped } = await served(says('Done.'));
    const notices: string[] = [];
    const conversations = await createConversations({ ...options, onNotice: (notice) => notices.push(notice) });
    await streamText({
      model: wrapped(conversations),
      prompt: question(0),
      providerOptions: { openai: { previousResponseId: 'resp_1' } },
    }).consumeStream();
    expect(messagesOf(server.asked[0]?.body.messages).map(({ content }) => textIn(content))).toEqual([question(0)]);
    expect(notices).toHaveLength(1);
    expect(conversations.contexts).toEqual([]);
  });
});

const withPicture: ModelMessage = {
  role: 'user',
  content: [
    { type: 'text', text: 'What is this?' },
    { type: 'file', mediaType: 'image/png', data: new Uint8Array([137, 80, 78, 71]) },
  ],
};

/** Thinking with its signature, and a cache mark. */
const signed: AiSdkMessage[] = [
  { role: 'system', content: instructions, providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } },
  { role: 'user', content: [{ type: 'text', text: 'Hello.' }] },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.', providerOptions: { anthropic: { signature: 'c2lnbmVk' } } },
      { type: 'text', text: 'Hello!' },
    ],
  },
  { role: 'user', content: [{ type: 'text', text: 'Which module is it?' }] },
];

/** A model with one fixed answer, and the calls that it received. */
function recording() {
  const asked: AiSdkCall[] = [];
  const usage = {
    inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const model = new MockLanguageModelV4({
    doGenerate: async (params) => {
      asked.push(params);
      const finishReason = { unified: 'stop', raw: 'stop' } as const;
      return { content: [{ type: 'text', text: 'Done.' }], finishReason, usage, warnings: [] };
    },
  });
  return { model, asked };
}

async function keptIn(conversations: Conversations) {
  const [context] = conversations.contexts;
  if (context === undefined) throw new Error('Nothing was kept.');
  await context.refresh();
  const entries = context.messages();
  return { entries };
}

function textsOf({ entries }: Awaited<ReturnType<typeof keptIn>>): string[] {
  return entries.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)));
}
