import { createOpenAI } from '@ai-sdk/openai';
import Anthropic from '@anthropic-ai/sdk';
import { HumanMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import {
  tool as aiTool,
  generateText,
  isStepCount,
  type LanguageModel,
  type PrepareStepFunction,
  pruneMessages,
  wrapLanguageModel,
} from 'ai';
import { createDeepAgent, createSummarizationMiddleware, StateBackend } from 'deepagents';
import { ClearToolUsesEdit, contextEditingMiddleware, createAgent, summarizationMiddleware, tool } from 'langchain';
import OpenAI from 'openai';
import { z } from 'zod';
import { strataMiddleware as aiSdkStrata } from '../../../extension/library/ai-sdk';
import { type Conversations, createConversations } from '../../../extension/library/conversations';
import { compactingFetch } from '../../../extension/library/fetch';
import { strataMiddleware } from '../../../extension/library/langchain';
import { constraint } from '../../middleware/frameworks/window-model';
import { type LongTurnServer, partText, prompt, systemPrompt, toolName, window } from './model';

/** One way in which an agent's long turn reaches the model. */
export interface LongTurnDoor {
  readonly name: string;
  run(server: LongTurnServer): Promise<void>;
}

/** The settings of `docs/middleware.md`. */
export function strataConversations(): Promise<Conversations> {
  return createConversations({ window, pins: [{ kind: 'constraint', text: constraint }] });
}

const description = 'Reads a part of the parser.';

/** Maximum number of steps; no test needs more. */
const mostSteps = 1000;

// AI SDK

const aiTools = {
  [toolName]: aiTool({
    description,
    inputSchema: z.object({ part: z.string() }),
    execute: async ({ part }) => partText(part),
  }),
};

async function withAiSdk(
  { address }: LongTurnServer,
  wrapped: (model: Exclude<LanguageModel, string>) => LanguageModel | Promise<LanguageModel>,
  prepareStep?: PrepareStepFunction<typeof aiTools>,
): Promise<void> {
  const model = createOpenAI({ baseURL: `${address}/v1`, apiKey: 'none' }).chat('gpt-4o-mini');
  await generateText({
    model: await wrapped(model),
    tools: aiTools,
    instructions: systemPrompt,
    messages: [{ role: 'user', content: prompt }],
    stopWhen: isStepCount(mostSteps),
    maxRetries: 0,
    ...(prepareStep ? { prepareStep } : {}),
  });
}

// LangChain

type Middleware = ReturnType<typeof strataMiddleware>;

const langchainTools = [
  tool(async ({ part }) => partText(part), { name: toolName, description, schema: z.object({ part: z.string() }) }),
];

interface Agent {
  invoke(state: { messages: HumanMessage[] }, config: { recursionLimit: number }): Promise<unknown>;
}

export function chatModel({ address }: LongTurnServer): ChatOpenAI {
  const configuration = { baseURL: `${address}/v1` };
  return new ChatOpenAI({ model: 'gpt-4o-mini', apiKey: 'none', configuration, maxRetries: 0 });
}

export async function withLangchain(server: LongTurnServer, middleware: readonly unknown[]): Promise<void> {
  const agent = createAgent({
    model: chatModel(server),
    tools: langchainTools,
    systemPrompt,
    middleware: middleware as Middleware[],
  });
  await asked(agent as unknown as Agent);
}

export async function withDeepAgent(server: LongTurnServer, middleware: readonly unknown[]): Promise<void> {
  const model = chatModel(server);
  const agent = createDeepAgent({ model, tools: langchainTools, systemPrompt, middleware: middleware as Middleware[] });
  await asked(agent as unknown as Agent);
}

/** LangGraph counts each call of the model, of a tool and of a middleware's hook as a step. */
async function asked(agent: Agent): Promise<void> {
  await agent.invoke({ messages: [new HumanMessage(prompt)] }, { recursionLimit: 10 * mostSteps });
}

/** Deep agents' own summaries: at this size of the whole history, and when the provider refuses a request. */
export function deepSummaries(trigger: readonly number[]) {
  return createSummarizationMiddleware({
    backend: new StateBackend(),
    trigger: trigger.map((value) => ({ type: 'tokens' as const, value })),
    keep: { type: 'messages', value: 6 },
  });
}

/** Context editing as its documentation configures it, for a window of 16,000 tokens. */
export const editing = () =>
  contextEditingMiddleware({ edits: [new ClearToolUsesEdit({ trigger: { tokens: 10_000 }, keep: { messages: 3 } })] });

export const summaries = (server: LongTurnServer) =>
  // The options are typed with another version of zod.
  summarizationMiddleware({ model: chatModel(server), trigger: { tokens: 10_000 }, keep: { messages: 10 } } as never);

// SDKs of providers

async function withChatCompletions(baseUrl: string, send: typeof fetch): Promise<void> {
  const client = new OpenAI({ apiKey: 'secret', baseURL: baseUrl, fetch: send, maxRetries: 0 });
  const parameters = { type: 'object' as const, properties: { part: { type: 'string' } }, required: ['part'] };
  const tools: OpenAI.ChatCompletionTool[] = [
    { type: 'function', function: { name: toolName, description, parameters } },
  ];
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: systemPrompt },
    { role: 'user', content: prompt },
  ];
  for (;;) {
    const { choices } = await client.chat.completions.create({ model: 'scripted', messages, tools });
    const message = choices[0]?.message;
    if (!message) throw new Error('No answer');
    messages.push(message);
    if (!message.tool_calls?.length) return;
    for (const call of message.tool_calls) {
      if (call.type !== 'function') continue;
      const { part } = JSON.parse(call.function.arguments);
      messages.push({ role: 'tool', tool_call_id: call.id, content: partText(part) });
    }
  }
}

async function withMessages({ address }: LongTurnServer, send: typeof fetch): Promise<void> {
  const client = new Anthropic({ apiKey: 'secret', baseURL: address, fetch: send, maxRetries: 0 });
  const input_schema = { type: 'object' as const, properties: { part: { type: 'string' } }, required: ['part'] };
  const messages: Anthropic.MessageParam[] = [{ role: 'user', content: prompt }];
  for (;;) {
    const reply = await client.messages.create({
      model: 'scripted',
      max_tokens: 1000,
      system: systemPrompt,
      tools: [{ name: toolName, description, input_schema }],
      messages,
    });
    messages.push({ role: 'assistant', content: reply.content });
    const calls = reply.content.filter((block) => block.type === 'tool_use');
    if (calls.length === 0) return;
    const content = calls.map(({ id, input }) => ({
      type: 'tool_result' as const,
      tool_use_id: id,
      content: partText((input as { part: string }).part),
    }));
    messages.push({ role: 'user', content });
  }
}

/** Entry points of Strata in the agent's process. */
export const libraryDoors: readonly LongTurnDoor[] = [
  {
    name: 'AI SDK',
    run: (server) =>
      withAiSdk(server, async (model) =>
        wrapLanguageModel({ model, middleware: aiSdkStrata(await strataConversations()) }),
      ),
  },
  {
    name: 'LangChain',
    run: async (server) => withLangchain(server, [strataMiddleware(await strataConversations())]),
  },
  {
    name: 'deep agents',
    run: async (server) => withDeepAgent(server, [strataMiddleware(await strataConversations())]),
  },
  {
    name: 'deep agents, own summaries on overflow only',
    run: async (server) => withDeepAgent(server, [deepSummaries([]), strataMiddleware(await strataConversations())]),
  },
  {
    name: 'OpenAI SDK',
    run: async (server) => withChatCompletions(`${server.address}/v1`, compactingFetch(await strataConversations())),
  },
  {
    name: 'Anthropic SDK',
    run: async (server) => withMessages(server, compactingFetch(await strataConversations())),
  },
];

/** An agent that uses a gateway at this address. */
export function throughGateway(baseUrl: string): Promise<void> {
  return withChatCompletions(baseUrl, fetch);
}

/** Other tools, and an agent without any middleware. None of them supports pins. */
export const peers: readonly LongTurnDoor[] = [
  { name: 'AI SDK alone', run: (server) => withAiSdk(server, (model) => model) },
  {
    name: 'AI SDK, pruneMessages',
    run: (server) =>
      withAiSdk(
        server,
        (model) => model,
        ({ messages }) => ({ messages: pruneMessages({ messages, toolCalls: 'before-last-10-messages' }) }),
      ),
  },
  { name: 'LangChain alone', run: (server) => withLangchain(server, []) },
  { name: 'LangChain, contextEditingMiddleware', run: (server) => withLangchain(server, [editing()]) },
  { name: 'LangChain, summarizationMiddleware', run: (server) => withLangchain(server, [summaries(server)]) },
  { name: 'deep agents alone', run: (server) => withDeepAgent(server, []) },
];
