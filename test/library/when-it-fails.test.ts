import { createOpenAI } from '@ai-sdk/openai';
import { HumanMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, wrapLanguageModel } from 'ai';
import { createAgent } from 'langchain';
import { expect, it, onTestFinished } from 'vitest';
import { NotCompacted } from '../../extension/library';
import { strataMiddleware as sdkMiddleware } from '../../extension/library/ai-sdk';
import type { ConversationsOptions } from '../../extension/library/conversations-options';
import { compactingFetch } from '../../extension/library/fetch';
import { strataMiddleware as langchainMiddleware } from '../../extension/library/langchain';
import { saysAtOnce, startModelServer } from '../builders/scripted-model-server';

/** One prompt that is larger than the window, so that it cannot be compacted. */
const prompt = 'A long prompt of many words. '.repeat(2_000);

type Ask = (baseURL: string, options: ConversationsOptions) => Promise<unknown>;

const doors: Readonly<Record<string, Ask>> = {
  'AI SDK': async (baseURL, options) => {
    const plain = createOpenAI({ baseURL, apiKey: 'none' }).chat('gpt-4o-mini');
    const model = wrapLanguageModel({ model: plain, middleware: sdkMiddleware(options) });
    return await generateText({ model, prompt, maxRetries: 0 });
  },
  LangChain: async (baseURL, options) => {
    const model = new ChatOpenAI({ model: 'gpt-4o-mini', apiKey: 'none', configuration: { baseURL }, maxRetries: 0 });
    const agent = createAgent({ model, tools: [], middleware: [langchainMiddleware(options)] });
    return await agent.invoke({ messages: [new HumanMessage(prompt)] });
  },
  fetch: async (baseURL, options) => {
    const body = JSON.stringify({ model: 'gpt-4o-mini', messages: [{ role: 'user', content: prompt }] });
    return await compactingFetch(options)(`${baseURL}/chat/completions`, { method: 'POST', body });
  },
};

async function asked(ask: Ask, more: Pick<ConversationsOptions, 'whenItFails'>) {
  const server = await startModelServer(saysAtOnce('Done.'));
  onTestFinished(() => server.close());
  const options = { window: 4_000, onNotice: () => undefined, ...more };
  const error = await ask(server.baseUrl, options).then(
    () => null,
    (thrown: unknown) => thrown,
  );
  return { error, sent: server.asked.length };
}

it.each(Object.entries(doors))('a request that cannot be made to fit is sent through %s', async (_name, ask) => {
  expect(await asked(ask, {})).toEqual({ error: null, sent: 1 });
});

it.each(Object.entries(doors))('rejects through %s and is not sent if the options say so', async (_name, ask) => {
  const { error, sent } = await asked(ask, { whenItFails: 'throw' });
  expect(sent).toBe(0);
  const reason = error instanceof NotCompacted ? error : (error as Error).cause;
  expect(reason).toBeInstanceOf(NotCompacted);
  expect(String(reason)).toContain('nothing more of it can be compacted');
});
