import Anthropic from '@anthropic-ai/sdk';
import { ChatAnthropic } from '@langchain/anthropic';
import type { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { HumanMessage } from '@langchain/core/messages';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { ChatOpenAI } from '@langchain/openai';
import {
  generateText,
  isStepCount,
  type LanguageModel,
  type ModelMessage,
  tool as sdkTool,
  wrapLanguageModel,
} from 'ai';
import { createAgent, tool } from 'langchain';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { startGateway } from '../../../extension/gateway/gateway';
import { strataMiddleware as sdkMiddleware } from '../../../extension/library/ai-sdk';
import type { Conversations } from '../../../extension/library/conversations';
import { compactingFetch } from '../../../extension/library/fetch';
import { strataMiddleware as langchainMiddleware } from '../../../extension/library/langchain';
import { chatAgent, fileText, responsesAgent } from '../sdk-agents';

export interface LongRun {
  /** Address of the model's server, without a path. */
  readonly address: string;
  readonly model: string;
  readonly conversations: Conversations;
}

/** Sends a prompt, and runs the tools that the model calls until it answers with text alone. */
export type Agent = (prompt: string) => Promise<void>;

export type Door = (run: LongRun) => Promise<Agent>;

const system = 'You are a careful engineer.';

/** The thinking option in the form that each model accepts. */
export function thinkingFor(model: string) {
  return /claude-[a-z]+-5/.test(model)
    ? ({ type: 'adaptive' } as const)
    : ({ type: 'enabled', budget_tokens: 1024 } as const);
}

function anthropicAgent(client: Anthropic, model: string): Agent {
  const messages: Anthropic.MessageParam[] = [];
  const input_schema = { type: 'object' as const, properties: { path: { type: 'string' } }, required: ['path'] };
  return async (prompt) => {
    messages.push({ role: 'user', content: prompt });
    for (;;) {
      const message = await client.messages.create({
        ...{ model, max_tokens: 4096, thinking: thinkingFor(model), messages },
        system: [{ type: 'text', text: system, cache_control: { type: 'ephemeral' } }],
        tools: [{ name: 'read_file', input_schema }],
      });
      messages.push({ role: 'assistant', content: message.content });
      const calls = message.content.filter((block) => block.type === 'tool_use');
      if (calls.length === 0) return;
      const content = calls.map(({ id }) => ({ type: 'tool_result' as const, tool_use_id: id, content: fileText(id) }));
      messages.push({ role: 'user', content });
    }
  };
}

const client = { apiKey: 'secret', maxRetries: 0 };

const throughFetch: Door = async ({ address, model, conversations }) =>
  anthropicAgent(new Anthropic({ ...client, baseURL: address, fetch: compactingFetch(conversations) }), model);

/** The address of a gateway, with its token. */
async function gatewayAddress({ address, conversations }: LongRun): Promise<string> {
  const gateway = await startGateway({
    keep: (request) => conversations.keep(request),
    windowOf: (name) => conversations.windowOf(name),
    notify: ({ message }) => conversations.notify(message),
    upstreams: { anthropic: address, openai: `${address}/v1` },
  });
  onTestFinished(() => gateway.close());
  return `${gateway.url}/${gateway.token}`;
}

const throughGateway: Door = async (run) => {
  const baseURL = `${await gatewayAddress(run)}/anthropic`;
  return anthropicAgent(new Anthropic({ ...client, baseURL }), run.model);
};

const path = z.object({ path: z.string() });

type ProviderOptions = NonNullable<Parameters<typeof generateText>[0]['providerOptions']>;

function sdkAgent(model: LanguageModel, providerOptions: ProviderOptions): Agent {
  const messages: ModelMessage[] = [];
  const execute = async (_input: unknown, { toolCallId }: { toolCallId: string }) => fileText(toolCallId);
  const tools = { read_file: sdkTool({ description: 'Reads a file.', inputSchema: path, execute }) };
  const more = { stopWhen: isStepCount(1_000), maxRetries: 0, maxOutputTokens: 4096, providerOptions };
  return async (prompt) => {
    messages.push({ role: 'user', content: prompt });
    messages.push(...(await generateText({ model, tools, instructions: system, messages, ...more })).responseMessages);
  };
}

type Provider = (model: string) => Parameters<typeof wrapLanguageModel>[0]['model'];

type Providers = Readonly<Record<string, (settings: { apiKey: string; baseURL: string }) => Provider & OpenAiApis>>;

type OpenAiApis = Readonly<Record<'chat' | 'responses', Provider>>;

const makers = { anthropic: 'createAnthropic', google: 'createGoogleGenerativeAI', openai: 'createOpenAI' } as const;

/** A provider of the AI SDK. Each is loaded only by the tests that need it. */
async function sdkProvider(name: keyof typeof makers, baseURL: string): Promise<Provider & OpenAiApis> {
  const all: Providers = await import(`@ai-sdk/${name}`);
  const make = all[makers[name]];
  if (make === undefined) throw new Error(`@ai-sdk/${name} has no ${makers[name]}.`);
  return make({ apiKey: 'secret', baseURL });
}

function sdkDoor(
  modelOf: (run: LongRun) => Promise<ReturnType<Provider>>,
  optionsOf: (run: LongRun) => ProviderOptions,
): Door {
  return async (run) => {
    const model = wrapLanguageModel({ model: await modelOf(run), middleware: sdkMiddleware(run.conversations) });
    return sdkAgent(model, optionsOf(run));
  };
}

const throughAiSdk = sdkDoor(
  async ({ address, model }) => (await sdkProvider('anthropic', `${address}/v1`))(model),
  ({ model }) => {
    const { type } = thinkingFor(model);
    return { anthropic: { thinking: type === 'enabled' ? { type, budgetTokens: 1024 } : { type } } };
  },
);

function langchainDoor(modelOf: (run: LongRun) => BaseChatModel): Door {
  return async (run) => {
    const read = tool(async (_input, { toolCall }) => fileText(String(toolCall?.id)), {
      name: 'read_file',
      description: 'Reads a file.',
      schema: path,
    });
    const middleware = [langchainMiddleware(run.conversations)];
    const agent = createAgent({ model: modelOf(run), tools: [read], systemPrompt: system, middleware });
    let messages: unknown[] = [];
    return async (prompt) => {
      const state = { messages: [...messages, new HumanMessage(prompt)] as never };
      ({ messages } = await agent.invoke(state, { recursionLimit: 1_000 }));
    };
  };
}

const throughLangchain = langchainDoor(
  ({ address, model }) =>
    new ChatAnthropic({
      ...{ model, apiKey: 'secret', anthropicApiUrl: address, maxTokens: 4096, maxRetries: 0 },
      thinking: thinkingFor(model),
    }),
);

export const anthropicDoors: Readonly<Record<string, Door>> = {
  fetch: throughFetch,
  gateway: throughGateway,
  'AI SDK': throughAiSdk,
  LangChain: throughLangchain,
};

/** An agent with OpenAI’s own client; `address` is the target of its requests. */
type ClientAgent = (run: LongRun, fetch: typeof globalThis.fetch, address: string) => Agent;

const chatClient: ClientAgent = ({ model }, fetch, address) => chatAgent({ address, fetch, model, streams: false });

const streamedChatClient: ClientAgent = ({ model }, fetch, address) =>
  chatAgent({ address, fetch, model, streams: true });

const responsesClient: ClientAgent = ({ model }, fetch, address) =>
  responsesAgent({ address, fetch, model, streams: false });

const streamedResponsesClient: ClientAgent = ({ model }, fetch, address) =>
  responsesAgent({ address, fetch, model, streams: true });

const inFetch =
  (agent: ClientAgent): Door =>
  async (run) =>
    agent(run, compactingFetch(run.conversations), run.address);

const inGateway =
  (agent: ClientAgent): Door =>
  async (run) =>
    agent(run, fetch, `${await gatewayAddress(run)}/openai`);

const sdkOpenAi = (api: 'chat' | 'responses', store: boolean): Door =>
  sdkDoor(
    async ({ address, model }) => (await sdkProvider('openai', `${address}/v1`))[api](model),
    () => ({ openai: { store } }),
  );

const langchainOpenAi = (useResponsesApi: boolean): Door =>
  langchainDoor(({ address, model }) => {
    const configuration = { baseURL: `${address}/v1` };
    const stateless = useResponsesApi ? { zdrEnabled: true } : {};
    return new ChatOpenAI({ model, apiKey: 'secret', maxRetries: 0, useResponsesApi, configuration, ...stateless });
  });

export const chatDoors: Readonly<Record<string, Door>> = {
  'fetch, chat': inFetch(chatClient),
  'fetch, chat streamed': inFetch(streamedChatClient),
  'gateway, chat': inGateway(chatClient),
  'gateway, chat streamed': inGateway(streamedChatClient),
  'AI SDK, chat': sdkOpenAi('chat', false),
  'LangChain, chat': langchainOpenAi(false),
};

export const responsesDoors: Readonly<Record<string, Door>> = {
  'fetch, responses': inFetch(responsesClient),
  'fetch, responses streamed': inFetch(streamedResponsesClient),
  'gateway, responses': inGateway(responsesClient),
  'gateway, responses streamed': inGateway(streamedResponsesClient),
  'AI SDK, responses': sdkOpenAi('responses', false),
  'AI SDK, stored responses': sdkOpenAi('responses', true),
  'LangChain, responses': langchainOpenAi(true),
};

/** Entry points for Gemini by OpenAI’s Chat Completions. */
export const geminiChatDoors: Readonly<Record<string, Door>> = {
  'fetch, chat': inFetch(chatClient),
  'gateway, chat': inGateway(chatClient),
};

const sdkGoogle = (includeThoughts: boolean): Door =>
  sdkDoor(
    async ({ address, model }) => (await sdkProvider('google', `${address}/v1beta`))(model),
    () => ({ google: { thinkingConfig: { includeThoughts } } }),
  );

const langchainGoogle = (includeThoughts: boolean): Door =>
  langchainDoor(
    ({ address: baseUrl, model }) =>
      new ChatGoogleGenerativeAI({
        ...{ model, apiKey: 'secret', baseUrl, maxRetries: 0 },
        ...(includeThoughts ? { thinkingConfig: { includeThoughts } } : {}),
      }),
  );

export const geminiDoors: Readonly<Record<string, Door>> = {
  'AI SDK': sdkGoogle(false),
  'AI SDK, thoughts included': sdkGoogle(true),
  LangChain: langchainGoogle(false),
  'LangChain, thoughts included': langchainGoogle(true),
};
