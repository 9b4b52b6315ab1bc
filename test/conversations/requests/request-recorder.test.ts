import { describe, expect, it, vi } from 'vitest';
import type { Summarizer } from '../../../extension/engine/block/summary';
import type { Context } from '../../../extension/engine/conversation/context';
import { type ConversationsOptions, createConversations } from '../../../extension/library';
import type { ReceivedMessage } from '../../../extension/middleware/recognition/received';
import { receivedConversation } from '../../../extension/middleware/recognition/received-entries';
import type { IncomingRequest, RecordedRequest } from '../../../extension/middleware/requests/recording';
import { collectGarbage } from '../../builders/collected-garbage';
import { long } from '../../builders/conversation';

/** Tests of requests that arrive at once or too early, or are aborted. */

const window = 4000;

function said(role: 'user' | 'assistant', text: string): ReceivedMessage {
  return { role, parts: [{ type: 'text', text }] };
}

async function keeper(options: Partial<ConversationsOptions> = {}) {
  const notices: string[] = [];
  const conversations = await createConversations({
    window,
    countTokens: (text) => Math.ceil(text.length / 4),
    onNotice: (message) => notices.push(message),
    goesBack: true,
    ...options,
  });
  const keep = (
    messages: readonly ReceivedMessage[],
    signal = new AbortController().signal,
  ): Promise<RecordedRequest> =>
    conversations.keep({
      received: receivedConversation(messages, conversations.now()),
      system: [],
      tools: null,
      model: 'scripted',
      contextWindow: window,
      signal,
    });
  return { conversations, notices, keep };
}

function textsOf({ messages }: Context): string[] {
  return messages.map(({ parts }) => parts.map((part) => ('text' in part ? part.text : '')).join(''));
}

const opening = [said('user', 'Good day.'), said('assistant', 'Good day to you.')];

it('holds no conversation open while an answer is awaited, and still records the answer in it', async () => {
  const { conversations, keep } = await keeper();
  const { answer, done } = await keep([said('user', 'Take your time.')]);
  const open = new WeakRef(conversations.newest ?? {});
  for (let at = 0; at < 500; at += 1) (await keep([said('user', `Number ${at}.`)])).done();
  await collectGarbage();
  expect(open.deref()).toBeUndefined();
  answer?.add({ type: 'text', text: 'Here I am.' });
  await answer?.end('answered');
  done();
  expect(conversations.newest?.entries.map(({ parts }) => parts)).toEqual([
    [{ type: 'text', text: 'Take your time.' }],
    [{ type: 'text', text: 'Here I am.' }],
  ]);
});

describe('requests of one conversation', () => {
  it('requests of one conversation that come at once are each written once, in their order', async () => {
    const { conversations, keep } = await keeper();
    const first = await keep(opening.slice(0, 1));
    first.answer?.add({ type: 'text', text: 'Good day to you.' });
    await first.answer?.end('answered');
    first.done();
    const requests = await Promise.all([
      keep([...opening, said('user', 'One.')]),
      keep([...opening, said('user', 'One.'), said('assistant', 'Yes.'), said('user', 'Two.')]),
      keep([...opening, said('user', 'One.')]),
    ]);
    for (const { done } of requests) done();
    expect(conversations.contexts).toHaveLength(1);
    const ids = conversations.newest?.entries.map(({ id }) => id) ?? [];
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(5);
    expect(textsOf(requests[0].context)).toEqual(['Good day.', 'Good day to you.', 'One.']);
    expect(textsOf(requests[1].context).at(-1)).toBe('Two.');
  });

  it('requests of one conversation continue from the newest request, if an answer ends after the request that followed it', async () => {
    const { conversations, keep } = await keeper();
    const first = await keep(opening.slice(0, 1));
    first.answer?.add({ type: 'text', text: 'Good day to you. How' });
    const second = await keep([...opening, said('user', 'Go on.')]);
    first.answer?.add({ type: 'text', text: ' are you?' });
    await first.answer?.end('answered');
    first.done();
    const shown = conversations.newest?.messages().map(({ content }) => content);
    expect(shown).toEqual(['Good day.', 'Good day to you.', 'Go on.']);
    second.done();
  });

  it('a request that waits for another one of its conversation can be aborted at once', async () => {
    const { promise: waits, resolve: finish } = Promise.withResolvers<void>();
    const history = Array.from({ length: 8 }, (_, at) => [
      said('user', long(`Look at part ${at}.`, 60)),
      said('assistant', long(`Part ${at} is fine.`, 60)),
    ]).flat();
    let asked = 0;
    const summarizer: Summarizer = {
      name: 'slow',
      model: null,
      concurrency: 1,
      summarize: async () => {
        asked += 1;
        await waits;
        throw new Error('Nobody waited for it');
      },
    };
    const { keep } = await keeper({ strategy: 'checkpoint', summarizer });
    const hanging = new AbortController();
    const waiting = new AbortController();
    const one = keep([...history, said('user', 'One.')], hanging.signal);
    const two = keep([...history, said('user', 'Two.')], waiting.signal);
    await vi.waitFor(() => expect(asked).toBe(1));
    waiting.abort(new Error('given up'));
    await expect(two).rejects.toThrow('given up');
    hanging.abort(new Error('given up as well'));
    await expect(one).rejects.toThrow('given up as well');
    finish();
  });

  it('a compaction without a result is tried again only when there is more to compact', async () => {
    const { notices, keep } = await keeper();
    const turn = [said('user', long('Look at all of it.', 400))];
    for (let step = 0; step < 5; step += 1) {
      const { done } = await keep(turn);
      done();
      turn.push(said('assistant', `Step ${step}.`), { role: 'user', parts: [] });
    }
    expect(notices.filter((notice) => notice.includes('nothing more of it can be compacted'))).toHaveLength(1);
  });
});

describe('a request that is asked once', () => {
  const title = [said('user', 'Give this conversation a title: the parser drops keys.')];
  const tools: IncomingRequest['tools'] = { type: 'tool_definitions', names: ['read'], text: '[]' };

  it('a one-off request is passed on without being recorded, if one-offs are not recorded', async () => {
    const { conversations, keep } = await keeper({ keepsOneOffs: false });
    const { context, answer } = await keep(title);
    expect(textsOf(context)).toEqual(['Give this conversation a title: the parser drops keys.']);
    expect(answer).toBeNull();
    expect(conversations.contexts).toEqual([]);
  });

  it('a one-off request is recorded as a whole once a request continues it', async () => {
    const { conversations, keep } = await keeper({ keepsOneOffs: false });
    await keep(opening.slice(0, 1));
    const { answer, done } = await keep([...opening, said('user', 'One.')]);
    await answer?.end('answered');
    done();
    expect(conversations.newest?.entries).toHaveLength(3);
  });

  it('a request with tools is recorded, because an agent begins with it', async () => {
    const { conversations } = await keeper({ keepsOneOffs: false });
    const received = receivedConversation(title, conversations.now());
    const { signal } = new AbortController();
    await conversations.keep({ received, system: [], tools, model: 'scripted', contextWindow: window, signal });
    expect(conversations.contexts).toHaveLength(1);
  });

  it('a one-off request is recorded by default', async () => {
    const { conversations, keep } = await keeper();
    await keep(title);
    expect(conversations.contexts).toHaveLength(1);
  });
});
