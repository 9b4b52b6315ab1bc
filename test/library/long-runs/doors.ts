import Anthropic from '@anthropic-ai/sdk';
import { ChatAnthropic } from '@langchain/anthropic';
import { HumanMessage } from '@langchain/core/messages';
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
  /** Of the model's server, without a path. */
  readonly address: string;
  readonly model: string;
  readonly conversations: Conversations;
}

/** Says something, and runs the tools that the model calls until it answers with text alone. */
export type Agent = (prompt: string) => Promise<void>;

export type Door = (run: LongRun) => Promise<Agent>;

const system = 'You are a careful engineer.';

/** Thinking as each model takes it. */
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

const throughGateway: Door = async ({ address, model, conversations }) => {
  const gateway = await startGateway({
    keep: (request) => conversations.keep(request),
    windowOf: (name) => conversations.windowOf(name),
    notify: ({ message }) => conversations.notify(message),
    upstreams: { anthropic: address, openai: address },
  });
  onTestFinished(() => gateway.close());
  const baseURL = `${gateway.url}/${gateway.token}/anthropic`;
  return anthropicAgent(new Anthropic({ ...client, baseURL }), model);
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

type Providers = Readonly<Record<string, (settings: { apiKey: string; baseURL: string }) => Provider>>;

const makers = { anthropic: 'createAnthropic', google: 'createGoogleGenerativeAI' } as const;

/** A provider of the AI SDK. They are loaded where a test needs them. */
async function sdkProvider(name: keyof typeof makers, baseURL: string): Promise<Provider> {
  const all: Providers = await import(`@ai-sdk/${name}`);
  const make = all[makers[name]];
  if (make === undefined) throw new Error(`@ai-sdk/${name} has no ${makers[name]}.`);
  return make({ apiKey: 'secret', baseURL });
}

const throughAiSdk: Door = async ({ address, model, conversations }) => {
  const plain = (await sdkProvider('anthropic', `${address}/v1`))(model);
  const { type } = thinkingFor(model);
  const thinking = type === 'enabled' ? { type, budgetTokens: 1024 } : { type };
  const wrapped = wrapLanguageModel({ model: plain, middleware: sdkMiddleware(conversations) });
  return sdkAgent(wrapped, { anthropic: { thinking } });
};

const throughLangchain: Door = async ({ address, model, conversations }) => {
  const read = tool(async (_input, { toolCall }) => fileText(String(toolCall?.id)), {
    name: 'read_file',
    description: 'Reads a file.',
    schema: path,
  });
  const chat = new ChatAnthropic({
    ...{ model, apiKey: 'secret', anthropicApiUrl: address, maxTokens: 4096, maxRetries: 0 },
    thinking: thinkingFor(model),
  });
  const middleware = [langchainMiddleware(conversations)];
  const agent = createAgent({ model: chat, tools: [read], systemPrompt: system, middleware });
  let messages: unknown[] = [];
  return async (prompt) => {
    const state = { messages: [...messages, new HumanMessage(prompt)] as never };
    ({ messages } = await agent.invoke(state, { recursionLimit: 1_000 }));
  };
};

export const anthropicDoors: Readonly<Record<string, Door>> = {
  fetch: throughFetch,
  gateway: throughGateway,
  'AI SDK': throughAiSdk,
  LangChain: throughLangchain,
};

/** Agents of OpenAI’s own client. */
export const openAiDoors = {
  'fetch, chat': async ({ address, conversations }) =>
    chatAgent({ address, fetch: compactingFetch(conversations), streams: false }),
  'fetch, chat streamed': async ({ address, conversations }) =>
    chatAgent({ address, fetch: compactingFetch(conversations), streams: true }),
  'fetch, responses streamed': async ({ address, conversations }) =>
    responsesAgent({ address, fetch: compactingFetch(conversations), streams: true }),
} satisfies Readonly<Record<string, Door>>;
