import { type BaseMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { createDeepAgent, GENERAL_PURPOSE_SUBAGENT } from 'deepagents';
import { createAgent, tool } from 'langchain';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { type Conversations, createConversations } from '../../extension/library/conversations';
import type { ConversationsOptions } from '../../extension/library/conversations-options';
import { strataMiddleware } from '../../extension/library/langchain';
import { type Behaviour, fails, hangs, type ModelServer, startModelServer } from '../builders/scripted-model-server';
import {
  type CallScript,
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

beforeAll(() => {
  vi.stubEnv('LANGSMITH_TRACING', 'false');
  vi.stubEnv('LANGCHAIN_TRACING_V2', 'false');
  return () => vi.unstubAllEnvs();
});

const servers: ModelServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

const window = 16_000;

const options: ConversationsOptions = { window, pins: [{ kind: 'constraint', text: constraint }] };

const tools = [
  tool(async ({ name }) => note(name), {
    name: 'read_note',
    description: 'Reads a note.',
    schema: z.object({ name: z.string() }),
  }),
];

const systemPrompt = 'You are a careful engineer.';

async function served(...behaviours: Behaviour[]) {
  const server = await startModelServer(...behaviours);
  servers.push(server);
  const configuration = { baseURL: server.baseUrl };
  const model = new ChatOpenAI({ model: 'gpt-4o-mini', apiKey: 'none', configuration, maxRetries: 0 });
  return { server, model };
}

type Middleware = ReturnType<typeof strataMiddleware>;

/** The common interface of both kinds of agents. */
interface Agent {
  invoke(state: { messages: BaseMessage[] }, config?: { signal?: AbortSignal }): Promise<{ messages: BaseMessage[] }>;
  stream(
    state: { messages: BaseMessage[] },
    config: { streamMode: 'messages' },
  ): Promise<AsyncIterable<readonly [BaseMessage, ...unknown[]]>>;
}

type MakeAgent = (model: ChatOpenAI, middleware: Middleware[]) => Agent;

const plainAgent: MakeAgent = (model, middleware) =>
  createAgent({ model, tools, systemPrompt, middleware }) as unknown as Agent;

const deepAgent: MakeAgent = (model, middleware) =>
  createDeepAgent({ model, tools, systemPrompt, middleware }) as unknown as Agent;

async function converse(agent: Agent, turns: number, messages: BaseMessage[] = []): Promise<BaseMessage[]> {
  let all = messages;
  for (let turn = 0; turn < turns; turn += 1) {
    const asked = new HumanMessage(question(turn));
    ({ messages: all } = await agent.invoke({ messages: [...all, asked] }));
  }
  return all;
}

describe.each<[string, MakeAgent]>([
  ['an agent of LangChain', plainAgent],
  ['a deep agent', deepAgent],
])('60 turns with tools in a window of 16,000 tokens, by %s', (_, make) => {
  it('overflow as they are', async () => {
    const { server, model } = await served(modelWithWindow(window, readsTwoNotes));
    await converse(make(model, []), 60).catch((error: Error) =>
      expect(error.message).toContain('maximum context length'),
    );
    expect(server.asked.some(({ body }) => tokensOf(body) > window)).toBe(true);
  });

  it('all turns pass through the middleware, with the constraint in every request', async () => {
    const { server, model } = await served(modelWithWindow(window, readsTwoNotes));
    const conversations = await createConversations(options);
    const messages = await converse(make(model, [strataMiddleware(conversations)]), 60);
    expect(messages.filter(({ type }) => type === 'tool')).toHaveLength(120);
    expect(server.asked).toHaveLength(120);
    for (const { body } of server.asked) {
      expect(tokensOf(body)).toBeLessThanOrEqual(window);
      expect(orphanIn(messagesOf(body.messages))).toBeNull();
      expect(messagesOf(body.messages).filter(({ role }) => role === 'system')).toHaveLength(1);
      expect(textIn(messagesOf(body.messages)[0]?.content)).toContain(constraint);
    }
    expect(conversations.contexts).toHaveLength(1);
    expect(conversations.newest?.compactions.length).toBeGreaterThan(0);
  });
});

/** The first request delegates; each request of a sub-agent reads notes. */
const delegates: CallScript = (turn) => {
  const { said, rounds, number } = turn;
  if (!said.startsWith('Delegate')) return readsTwoNotes(turn);
  if (rounds > 0) return [];
  return ['the loader', 'the parser'].map((part) => ({
    id: `task-${number}-${part}`,
    name: 'task',
    arguments: JSON.stringify({ description: `Look into ${part}.`, subagent_type: 'general-purpose' }),
  }));
};

describe('a deep agent’s sub-agents', () => {
  it('a deep agent’s sub-agents have conversations of their own, with the same pins, if they have the middleware in their list', async () => {
    const { server, model } = await served(modelWithWindow(window, delegates));
    const conversations = await createConversations(options);
    const strata = strataMiddleware(conversations);
    const subagents = [{ ...GENERAL_PURPOSE_SUBAGENT, tools, middleware: [strata] }];
    const middleware = [strata] as unknown as [];
    const agent = createDeepAgent({ model, tools, systemPrompt, middleware, subagents: subagents as never });
    await (agent as unknown as Agent).invoke({ messages: [new HumanMessage('Delegate it.')] });
    const begun = conversations.contexts.map((context) => firstOf(context.messages()));
    expect(begun.sort()).toEqual(['Delegate it.', 'Look into the loader.', 'Look into the parser.']);
    for (const { body } of server.asked) expect(JSON.stringify(body.messages)).toContain(constraint);
  });
});

function firstOf(messages: ReturnType<Conversations['contexts'][number]['messages']>) {
  return messages.find(({ role }) => role === 'user')?.content;
}

describe('a call of a model', () => {
  it('a call of a model is the very same while nothing is compacted', async () => {
    const alone = await served(modelWithWindow(window, readsTwoNotes));
    await converse(plainAgent(alone.model, []), 4, [withPicture]);
    const beside = await served(modelWithWindow(window, readsTwoNotes));
    await converse(plainAgent(beside.model, [strataMiddleware({ window })]), 4, [withPicture]);
    expect(beside.server.asked.map(({ body }) => body)).toEqual(alone.server.asked.map(({ body }) => body));
  });

  it('a call has the messages that an undo from outside brought back, because the agent still has them', async () => {
    const { server, model } = await served(modelWithWindow(60_000, readsTwoNotes));
    const options = { window: 60_000, strategy: 'pipeline', automation: { enabled: false } };
    const conversations = await createConversations(options);
    const agent = plainAgent(model, [strataMiddleware(conversations)]);
    const messages = await converse(agent, 15);
    await conversations.newest?.compact();
    const more = await converse(agent, 1, messages);
    expect(textsIn(server.asked.at(-1)?.body.messages)).not.toContain(question(1));
    await conversations.newest?.undo();
    await converse(agent, 1, more);
    expect(textsIn(server.asked.at(-1)?.body.messages)).toContain(question(1));
  });

  it('streams as ever', async () => {
    const { model } = await served(modelWithWindow(window, () => []));
    const conversations = await createConversations({ window });
    const agent = plainAgent(model, [strataMiddleware(conversations)]);
    const pieces: string[] = [];
    const stream = await agent.stream({ messages: [new HumanMessage(question(0))] }, { streamMode: 'messages' });
    for await (const [message] of stream) pieces.push(message.text);
    expect(pieces.length).toBeGreaterThan(2);
    expect(conversations.newest?.messages().at(-1)?.content).toBe(pieces.join(''));
  });

  it('a failed call throws the error of the provider, and the next call continues', async () => {
    const { model } = await served(
      fails(500, 'The server had an error.'),
      modelWithWindow(window, () => []),
    );
    const conversations = await createConversations({ window });
    const agent = plainAgent(model, [strataMiddleware(conversations)]);
    const state = { messages: [new HumanMessage(question(0))] };
    await expect(agent.invoke(state)).rejects.toThrow('The server had an error.');
    await agent.invoke(state);
    expect(conversations.contexts).toHaveLength(1);
    expect(conversations.newest?.messages().map(({ role }) => role)).toEqual(['system', 'user', 'assistant']);
  });

  it('a call of a model that is given up leaves the conversation ready for the next', async () => {
    const { server, model } = await served(
      hangs,
      modelWithWindow(window, () => []),
    );
    const conversations = await createConversations({ window });
    const agent = plainAgent(model, [strataMiddleware(conversations)]);
    const abort = new AbortController();
    const state = { messages: [new HumanMessage(question(0))] };
    const given = agent.invoke(state, { signal: abort.signal });
    given.catch(() => undefined);
    await expect.poll(() => server.asked.length).toBe(1);
    abort.abort();
    await expect(given).rejects.toThrow();
    await agent.invoke(state);
    expect(conversations.contexts).toHaveLength(1);
  });

  it('a call of a model that an integration compacts itself is not compacted, and a notice says so once', async () => {
    const { model } = await served(modelWithWindow(1_000_000, readsTwoNotes));
    const notices: string[] = [];
    const conversations = await createConversations({ window: 4_000, onNotice: (notice) => notices.push(notice) });
    Object.assign(model, { contextManagement: { edits: [] } });
    await converse(plainAgent(model, [strataMiddleware(conversations)]), 6);
    expect(notices.filter((notice) => notice.includes('contextManagement'))).toHaveLength(1);
    expect(conversations.newest?.compactions).toEqual([]);
  });
});

describe('a system message among the messages', () => {
  it('takes the core, because providers have one place for both', async () => {
    const { server, model } = await served(modelWithWindow(window, () => []));
    const agent = createAgent({ model, tools, middleware: [strataMiddleware(options)] }) as unknown as Agent;
    await agent.invoke({ messages: [new SystemMessage('Be brief.'), new HumanMessage('Hello.')] });
    const [first, ...others] = messagesOf(server.asked[0]?.body.messages);
    expect(textIn(first?.content)).toMatch(/^Be brief\.\n\n/);
    expect(textIn(first?.content)).toContain(constraint);
    expect(others.map(({ role }) => role)).toEqual(['user']);
  });
});

const withPicture = new HumanMessage({
  content: [
    { type: 'text', text: 'What is this?' },
    { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw==' } },
  ],
});

function textsIn(messages: unknown): string[] {
  return messagesOf(messages).map(({ content }) => textIn(content));
}
