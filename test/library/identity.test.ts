import { createOpenAI } from '@ai-sdk/openai';
import { type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { ChatOpenAI } from '@langchain/openai';
import { generateText, wrapLanguageModel } from 'ai';
import { createDeepAgent, GENERAL_PURPOSE_SUBAGENT } from 'deepagents';
import { createAgent } from 'langchain';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { type Conversations, compactMessages, createConversations } from '../../extension/library';
import { strataMiddleware as aiSdkMiddleware } from '../../extension/library/ai-sdk';
import { compactingFetch } from '../../extension/library/fetch';
import { strataMiddleware } from '../../extension/library/langchain';
import { sends, startUpstream, type Upstream } from '../gateway/upstream';

const chatAnswer = (message: object) =>
  JSON.stringify({
    id: 'c',
    object: 'chat.completion',
    model: 'm',
    choices: [{ index: 0, finish_reason: 'stop', message }],
  });
const hello = { role: 'assistant', content: 'Hello.' };

async function served(onNotice: (message: string) => void = expect.unreachable) {
  const upstream = await startUpstream(sends(200, chatAnswer(hello)));
  const conversations = await createConversations({ window: 100_000, onNotice });
  return { upstream, conversations };
}

async function pinnedIn(conversations: Conversations, conversation: string, scope?: string) {
  const context = await conversations.conversation({ conversation, scope });
  await context.pin('constraint', `Only in ${conversation}${scope ? ` of ${scope}` : ''}.`);
}

const pinsIn = (upstream: Upstream) =>
  upstream.received.map(({ body }) => /Only in [\w ]+/.exec(body.toString('utf8'))?.[0] ?? null);

describe('an adapter', () => {
  it('takes the thread of a LangChain agent as the key of its conversation', async () => {
    const { upstream, conversations } = await served();
    await pinnedIn(conversations, 'one', 'acme');
    const model = new ChatOpenAI({ model: 'm', apiKey: 'none', configuration: { baseURL: `${upstream.url}/v1` } });
    const middleware = [strataMiddleware(conversations, { conversation: ({ threadId }) => threadId, scope: 'acme' })];
    const agent = createAgent({ model, tools: [], middleware });
    for (const thread_id of ['one', 'two'])
      await agent.invoke({ messages: [new HumanMessage('Hi')] }, { configurable: { thread_id } });
    expect(pinsIn(upstream)).toEqual(['Only in one of acme', null]);
    expect((await conversations.list('acme')).map(({ conversation }) => conversation).sort()).toEqual(['one', 'two']);
  });

  it('has a conversation of its own for each sub-agent of a deep agent’s thread', async () => {
    const { upstream, conversations } = await served();
    const call = {
      id: 'c1',
      type: 'function',
      function: { name: 'task', arguments: JSON.stringify({ description: 'Look.', subagent_type: 'general-purpose' }) },
    };
    upstream.behaviour = (response, received) =>
      sends(
        200,
        chatAnswer(upstream.received.length === 1 ? { role: 'assistant', content: '', tool_calls: [call] } : hello),
      )(response, received);
    const model = new ChatOpenAI({ model: 'm', apiKey: 'none', configuration: { baseURL: `${upstream.url}/v1` } });
    const middleware = [strataMiddleware(conversations, { conversation: ({ threadId }) => threadId })];
    const agent = createDeepAgent({
      model,
      tools: [],
      middleware,
      subagents: [{ ...GENERAL_PURPOSE_SUBAGENT, tools: [], middleware }],
    } as never);
    await (agent as unknown as { invoke(state: { messages: BaseMessage[] }, config: object): Promise<unknown> }).invoke(
      { messages: [new HumanMessage('Go')] },
      { configurable: { thread_id: 'one' } },
    );
    const keys = (await conversations.list()).map(({ conversation }) => conversation ?? 'none').sort();
    expect(upstream.received).toHaveLength(3);
    expect(keys).toEqual(['one', expect.stringMatching(/^one\/tools:/)]);
  });

  it('takes the id of a chat of the AI SDK as the key of its conversation', async () => {
    const { upstream, conversations } = await served();
    await pinnedIn(conversations, 'one');
    const openai = createOpenAI({ apiKey: 'none', baseURL: `${upstream.url}/v1` });
    const middleware = aiSdkMiddleware(conversations, { conversation: ({ threadId }) => threadId });
    const model = wrapLanguageModel({ model: openai.chat('m'), middleware });
    for (const threadId of ['one', 'two'])
      await generateText({ model, prompt: 'Hi', providerOptions: { strata: { threadId } } });
    expect(pinsIn(upstream)).toEqual(['Only in one', null]);
    expect(upstream.received[0]?.body.toString()).not.toContain('threadId');
  });

  it('takes a header as the key of a request’s conversation, and does not send it on', async () => {
    const { upstream, conversations } = await served();
    await pinnedIn(conversations, 'one');
    const client = new OpenAI({ apiKey: 'none', baseURL: `${upstream.url}/v1`, fetch: compactingFetch(conversations) });
    for (const one of ['one', 'two']) {
      const headers = { 'x-strata-conversation': one };
      await client.chat.completions.create({ model: 'm', messages: [{ role: 'user', content: 'Hi' }] }, { headers });
    }
    expect(pinsIn(upstream)).toEqual(['Only in one', null]);
    expect(upstream.received.flatMap(({ headers }) => headers.map(([name]) => name))).not.toContain(
      'x-strata-conversation',
    );
  });

  it('takes key and scope of an array of messages', async () => {
    const { conversations } = await served();
    await pinnedIn(conversations, 'one', 'acme');
    const sent = async (scope: string) =>
      JSON.stringify(
        await compactMessages(conversations, [{ role: 'user', content: 'Hi' }], { conversation: 'one', scope }),
      );
    expect(await sent('acme')).toContain('Only in one of acme');
    expect(await sent('globex')).not.toContain('Only in one');
  });

  it('records nothing of a call without a named tenant, and reports it', async () => {
    const notices: string[] = [];
    const { upstream, conversations } = await served((message) => notices.push(message));
    const openai = createOpenAI({ apiKey: 'none', baseURL: `${upstream.url}/v1` });
    const middleware = aiSdkMiddleware(conversations, { scope: () => undefined });
    await generateText({ model: wrapLanguageModel({ model: openai.chat('m'), middleware }), prompt: 'Hi' });
    expect(upstream.received).toHaveLength(1);
    expect(notices).toEqual([expect.stringContaining('The option `scope` named no tenant')]);
    expect(await conversations.list()).toEqual([]);
  });
});
