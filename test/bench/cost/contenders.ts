import { createOpenAI } from '@ai-sdk/openai';
import { HumanMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, isStepCount, type ModelMessage, pruneMessages, tool as sdkTool, wrapLanguageModel } from 'ai';
import { createDeepAgent, createSummarizationMiddleware, StateBackend } from 'deepagents';
import {
  type AgentMiddleware,
  ClearToolUsesEdit,
  contextEditingMiddleware,
  createAgent,
  summarizationMiddleware,
  tool,
} from 'langchain';
import OpenAI from 'openai';
import { z } from 'zod';
import { startGateway } from '../../../extension/gateway/gateway';
import { strataMiddleware as sdkMiddleware } from '../../../extension/library/ai-sdk';
import { createConversations } from '../../../extension/library/conversations';
import type { ConversationsOptions } from '../../../extension/library/conversations-options';
import { strataMiddleware as langchainMiddleware } from '../../../extension/library/langchain';
import { type CostServer, clearsToolUses, fileOf, rule } from './server';

/** Says something as the person, and works until the model answers. */
type Agent = (prompt: string) => Promise<void>;

interface Setting {
  readonly address: string;
  /** In tokens. */
  readonly window: number;
}

export interface Contender {
  readonly name: string;
  /** How the provider edits each request. */
  readonly edit?: (window: number) => ReturnType<typeof clearsToolUses>;
  start(setting: Setting): Promise<{ readonly agent: Agent; readonly stop?: () => Promise<unknown> }>;
}

/** About a thousand tokens. */
const system = `You are a careful engineer. ${rule}\n${Array.from({ length: 60 }, (_, at) => `Rule ${at}: describe each change of module ${at} in one sentence.`).join('\n')}`;

/** Share of the window at which peers start. Their estimates are lower than what a provider counts: at 0.9 they are refused. */
const fullest = 0.8;

const model = 'gpt-5.5';
const path = z.object({ path: z.string() });
const conversationsOf = (window: number, options: Partial<ConversationsOptions> = {}) =>
  createConversations({ window, onNotice: () => undefined, ...options });

async function sdkAgent(
  { address, window }: Setting,
  how: 'strata' | 'prune',
  options: Partial<ConversationsOptions> = {},
): Promise<Agent> {
  const plain = createOpenAI({ apiKey: 'secret', baseURL: `${address}/v1` }).chat(model);
  const wrapped = async () =>
    wrapLanguageModel({ model: plain, middleware: sdkMiddleware(await conversationsOf(window, options)) });
  const used = how === 'strata' ? await wrapped() : plain;
  const read = sdkTool({
    description: 'Reads a file.',
    inputSchema: path,
    execute: async (input) => fileOf(input.path),
  });
  const prepareStep = ({ messages: given }: { messages: ModelMessage[] }) => ({
    messages: pruneMessages({ messages: given, toolCalls: 'before-last-3-messages', emptyMessages: 'remove' }),
  });
  const more = { stopWhen: isStepCount(1_000), maxRetries: 0, ...(how === 'prune' ? { prepareStep } : {}) };
  const messages: ModelMessage[] = [];
  return async (prompt) => {
    messages.push({ role: 'user', content: prompt });
    const given = { model: used, tools: { look_up: read }, instructions: system, messages };
    messages.push(...(await generateText({ ...given, ...more })).responseMessages);
  };
}

function chatModel({ address, window }: Setting): ChatOpenAI {
  const configuration = { baseURL: `${address}/v1` };
  const chat = new ChatOpenAI({ model, apiKey: 'secret', maxRetries: 0, useResponsesApi: false, configuration });
  // Middlewares read the window from the profile.
  Object.defineProperty(chat, 'profile', { value: { maxInputTokens: window } });
  return chat;
}

const readTool = tool(async (input: { path: string }) => fileOf(input.path), {
  name: 'look_up',
  description: 'Reads a file.',
  schema: path,
});

type Middlewares = readonly AgentMiddleware[];

interface Invoked {
  invoke(state: { messages: never }, config: object): Promise<{ messages: unknown[] }>;
}

function langchainAgent(agent: Invoked): Agent {
  let messages: unknown[] = [];
  return async (prompt) => {
    const state = { messages: [...messages, new HumanMessage(prompt)] as never };
    ({ messages } = await agent.invoke(state, { recursionLimit: 10_000 }));
  };
}

const withLangchain =
  (middlewares: (setting: Setting) => Promise<Middlewares>): Contender['start'] =>
  async (setting) => {
    const middleware = await middlewares(setting);
    const agent = createAgent({ model: chatModel(setting), tools: [readTool], systemPrompt: system, middleware });
    return { agent: langchainAgent(agent as unknown as Invoked) };
  };

const withDeepAgents =
  (middlewares: (setting: Setting) => Promise<Middlewares>): Contender['start'] =>
  async (setting) => {
    const middleware = (await middlewares(setting)) as never;
    const agent = createDeepAgent({ model: chatModel(setting), tools: [readTool], systemPrompt: system, middleware });
    return { agent: langchainAgent(agent as unknown as Invoked) };
  };

const strata = async ({ window }: Setting): Promise<Middlewares> => [
  langchainMiddleware(await conversationsOf(window)),
];

const withContextEditing = (share: number) =>
  withLangchain(async ({ window }) => [
    contextEditingMiddleware({
      edits: [new ClearToolUsesEdit({ trigger: { tokens: window * share }, keep: { messages: 3 } })],
    }),
  ]);

/** An agent of OpenAI’s client. */
function clientAgent(baseURL: string): Agent {
  const client = new OpenAI({ apiKey: 'secret', baseURL, maxRetries: 0 });
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'system', content: system }];
  const parameters = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
  const tools: OpenAI.ChatCompletionTool[] = [{ type: 'function', function: { name: 'look_up', parameters } }];
  return async (prompt) => {
    messages.push({ role: 'user', content: prompt });
    for (;;) {
      const message = (await client.chat.completions.create({ model, messages, tools })).choices[0]?.message;
      if (!message) throw new Error('No answer');
      messages.push(message);
      if (!message.tool_calls?.length) return;
      for (const call of message.tool_calls) {
        const input = call.type === 'function' ? JSON.parse(call.function.arguments) : {};
        messages.push({ role: 'tool', tool_call_id: call.id, content: fileOf(String(input.path)) });
      }
    }
  };
}

export const contenders: readonly Contender[] = [
  { name: 'Strata, AI SDK', start: async (setting) => ({ agent: await sdkAgent(setting, 'strata') }) },
  {
    name: 'Strata, AI SDK, by size',
    start: async (setting) => ({ agent: await sdkAgent(setting, 'strata', { automation: { schedule: 'size' } }) }),
  },
  { name: 'Strata, LangChain', start: withLangchain(strata) },
  {
    name: 'Strata, deep agents',
    start: withDeepAgents(async (setting) => [
      createSummarizationMiddleware({ backend: new StateBackend(), trigger: [] }) as never,
      ...(await strata(setting)),
    ]),
  },
  {
    name: 'Strata, gateway',
    start: async ({ address, window }) => {
      const conversations = await conversationsOf(window);
      const gateway = await startGateway({
        keep: (request) => conversations.keep(request),
        windowOf: () => window,
        notify: () => undefined,
        upstreams: { openai: `${address}/v1` },
      });
      return { agent: clientAgent(`${gateway.url}/${gateway.token}/openai/v1`), stop: () => gateway.close() };
    },
  },
  { name: 'LangChain, context editing', start: withContextEditing(fullest) },
  { name: 'LangChain, context editing from half', start: withContextEditing(0.5) },
  {
    name: 'Anthropic, clear_tool_uses',
    edit: (window) => clearsToolUses(window * fullest),
    start: async ({ address }) => ({ agent: clientAgent(`${address}/v1`) }),
  },
  {
    name: 'LangChain, summarization',
    start: withLangchain(async (setting) => [
      summarizationMiddleware({
        model: chatModel(setting),
        trigger: { fraction: fullest },
        keep: { messages: 20 },
      } as never) as unknown as AgentMiddleware,
    ]),
  },
  { name: 'deep agents', start: withDeepAgents(async () => []) },
  { name: 'AI SDK, pruneMessages', start: async (setting) => ({ agent: await sdkAgent(setting, 'prune') }) },
];

/** Plays the whole run of a contender. */
export async function played(agent: Agent, server: CostServer, turns: number): Promise<void> {
  for (let turn = 1; turn <= turns; turn += 1) {
    const prompt = `Part ${turn} of the work: look at its files, and say what is to be changed.`;
    server.prompted(prompt);
    await agent(prompt);
  }
}
