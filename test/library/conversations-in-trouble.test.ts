import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tokensAtLeast } from '../../extension/conversations/compaction/fit';
import type { Usage } from '../../extension/engine/conversation/entry';
import {
  type ConversationsOptions,
  createConversations,
  EmbedderMissing,
  type LanguageModel,
  ModelFailed,
  memoryShelf,
} from '../../extension/library';
import { conversationFolder } from '../../extension/library/node';
import type { ReceivedMessage } from '../../extension/middleware/recognition/received';
import { receivedConversation } from '../../extension/middleware/recognition/received-entries';
import { long } from '../builders/conversation';

const countTokens = (text: string) => Math.ceil(text.length / 4);
const window = 8_000;
const most = window * 0.9;
const pins = [{ kind: 'constraint', text: 'Never push.', rationale: 'Releases are done by hand.' }] as const;

function user(text: string): ReceivedMessage {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

function answer(to: number): ReceivedMessage {
  return { role: 'assistant', parts: [{ type: 'text', text: `Answer to ${to}.` }] };
}

function search(callId: string): ReceivedMessage[] {
  const text = '— '.repeat(500);
  return [
    { role: 'assistant', parts: [{ type: 'tool_call', callId, name: 'search', input: { query: 'x' } }] },
    { role: 'user', parts: [{ type: 'tool_result', callId, name: 'search', text, isError: false, images: [] }] },
  ];
}

/** An agent that sends its whole history with each request, in any number of conversations. */
async function program(options: Partial<ConversationsOptions> = {}) {
  const notices: string[] = [];
  const onNotice = (message: string) => notices.push(message);
  const conversations = await createConversations({ window, countTokens, onNotice, ...options });
  const send = async (said: readonly ReceivedMessage[], usage?: Usage) => {
    const kept = await conversations.keep({
      received: receivedConversation(said, conversations.now()),
      ...{ system: ['Be brief.'], tools: null, model: 'scripted', contextWindow: window },
      signal: new AbortController().signal,
    });
    kept.answer?.add({ type: 'text', text: `Answer to ${said.length}.` });
    if (usage) kept.answer?.add({ type: 'usage', usage });
    await kept.answer?.end('answered');
    kept.done();
    return kept.context;
  };
  const agent = () => {
    const history: ReceivedMessage[] = [];
    return async (text: string, usage?: Usage) => {
      history.push(user(text));
      const context = await send(history, usage);
      history.push(answer(history.length));
      return context;
    };
  };
  return { conversations, notices, send, agent };
}

async function largestOf(
  ask: (text: string) => ReturnType<Awaited<ReturnType<typeof program>>['send']>,
  turns: number,
) {
  const sizes: number[] = [];
  for (let at = 0; at < turns; at += 1)
    sizes.push(tokensAtLeast(await ask(`Part ${at}. ${long(`Look at part ${at}.`, 30)}`)));
  return Math.max(...sizes);
}

function failing(error: () => Error): LanguageModel {
  return { name: 'broken', model: 'broken', concurrency: 1, complete: () => Promise.reject(error()) };
}

describe('a conversation whose model fails', () => {
  for (const [failure, error] of [
    ['is unavailable', () => new ModelFailed('unavailable', 'The server is down.')],
    ['throws anything', () => new Error('The server is down.')],
  ] as const) {
    it(`fits even if it ${failure}, and reports the cause once`, async () => {
      for (const strategy of ['pipeline', 'checkpoint', 'llm']) {
        const { agent, conversations, notices } = await program({ strategy, model: failing(error) });
        expect(await largestOf(agent(), 30)).toBeLessThanOrEqual(most);
        expect(conversations.newest?.compactions.length).toBeGreaterThan(0);
        expect(notices.filter((notice) => /^Compacting failed: .*The server is down/.test(notice))).toHaveLength(1);
        expect(notices.length).toBeLessThanOrEqual(2);
      }
    });
  }

  it('reports it again if the model worked in between', async () => {
    let isDown = true;
    const summarizer = {
      ...{ name: 'flaky', model: 'flaky', concurrency: 1 },
      summarize: async () => {
        if (isDown) throw new ModelFailed('unavailable', 'The server is down.');
        return {
          body: 'The person asks about parts.',
          spans: [],
          tokensSpent: { input: 1, output: 1 },
          promptHash: null,
        };
      },
    };
    const { agent, notices } = await program({ strategy: 'naive', summarizer });
    const ask = agent();
    await largestOf(ask, 25);
    isDown = false;
    await largestOf(ask, 25);
    expect(notices).toHaveLength(1);
    isDown = true;
    await largestOf(ask, 25);
    expect(notices).toHaveLength(2);
  });

  it('a conversation whose model fails has text without a model if nothing that the model writes is usable', async () => {
    const useless = { body: 'Fine.', spans: [], tokensSpent: { input: 1, output: 1 }, promptHash: null };
    const summarizer = { name: 'useless', model: 'useless', concurrency: 1, summarize: async () => useless };
    const { agent, conversations } = await program({ strategy: 'checkpoint', summarizer });
    expect(await largestOf(agent(), 30)).toBeLessThanOrEqual(most);
    const writers = conversations.newest?.compactions.map(({ record }) => record.summarizer.name);
    expect(writers).toContain('transparent');
    expect(writers).not.toContain('useless');
  });

  it('a conversation whose model fails is not begun if the strategy needs an embedder and has none', async () => {
    await expect(program({ strategy: 'hybrid' })).rejects.toThrow(EmbedderMissing);
    await expect(program({ strategy: 'a-mem' })).rejects.toThrow(EmbedderMissing);
  });

  it('fits if the embedder fails', async () => {
    const embedder = { name: 'broken', embed: () => Promise.reject(new Error('No such file.')) };
    const { agent, notices } = await program({ strategy: 'hybrid', embedder });
    expect(await largestOf(agent(), 30)).toBeLessThanOrEqual(most);
    expect(notices).toEqual(['Compacting failed: No such file.']);
  });
});

describe('what is finished', () => {
  const results = Array.from({ length: 60 }, (_, at) => search(`c${at}`)).flat();

  it('never keeps a request from fitting, though nothing can be said of it', async () => {
    const { send, conversations } = await program();
    const before = [user('research…'), ...results, answer(0)];
    const context = await send([...before, user('And now?')]);
    expect(tokensAtLeast(context)).toBeLessThanOrEqual(most);
    expect(JSON.stringify(context.messages.at(-1))).toContain('And now?');
    await conversations.newest?.undo();
    expect(conversations.newest?.current.messages.length).toBeGreaterThan(60);
  });

  it('fits if the live turn alone is too large: its old steps go, its prompt and its newest step stay', async () => {
    const { send } = await program();
    const live = [user('research…'), ...results];
    const context = await send(live);
    expect(tokensAtLeast(context)).toBeLessThanOrEqual(most);
    const said = context.messages.map((message) => JSON.stringify(message.parts));
    expect(said.some((parts) => parts.includes('research…'))).toBe(true);
    expect(said.at(-1)).toContain('c59');
  });
});

describe('the shelf in memory', () => {
  it('keeps the conversation that is in use, however many others begin', async () => {
    const started: unknown[] = [];
    const main = await program({ shelf: memoryShelf(5), onConversation: (context) => started.push(context) });
    const askMain = main.agent();
    for (let at = 0; at < 20; at += 1) {
      await askMain(`Main ${at}.`);
      await main.agent()(`Other ${at}.`);
    }
    expect(started).toHaveLength(21);
    expect(main.conversations.contexts.some(({ entries }) => entries.length > 20)).toBe(true);
  });

  it('gives up the one that was opened or used longest ago', async () => {
    const shelf = memoryShelf(2);
    const begin = (id: string) => shelf.create({ id, begins: 'alike', created: '2026-01-01T00:00:00.000Z' });
    const ids = async () => (await shelf.beginnings('alike')).map(({ id }) => id);
    await begin('a');
    await begin('b');
    await shelf.open('a');
    await begin('c');
    expect(await ids()).toEqual(['a', 'c']);
    shelf.used('a');
    await begin('d');
    expect(await ids()).toEqual(['a', 'd']);
    shelf.used('b');
    expect(await ids()).toEqual(['a', 'd']);
  });
});

describe('a conversation that cannot be recorded', () => {
  async function holds(options: Partial<ConversationsOptions>) {
    const { agent, notices, conversations } = await program({ pins, ...options });
    const ask = agent();
    for (let at = 0; at < 30; at += 1) {
      const context = await ask(`Part ${at}. ${long(`Look at part ${at}.`, 30)}`);
      expect(JSON.stringify(context.messages)).toContain('Never push.');
      expect(tokensAtLeast(context)).toBeLessThanOrEqual(most);
    }
    expect(conversations.contexts).toHaveLength(1);
    return notices;
  }

  const newFolder = () => mkdtemp(join(tmpdir(), 'strata-trouble-'));

  it('holds its pins and is compacted if the folder is a file', async () => {
    const folder = join(await newFolder(), 'file');
    await writeFile(folder, '');
    const notices = await holds({ shelf: conversationFolder({ folder, onWarning: () => undefined }) });
    expect(notices).toEqual([
      expect.stringMatching(
        /^The conversation .* could not be kept. It and others go on in memory until they can be: /,
      ),
    ]);
  });

  it('holds its pins and is compacted if its journal cannot be written', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'journals'), '');
    const notices = await holds({ shelf: conversationFolder({ folder, onWarning: () => undefined }) });
    expect(notices).toEqual([expect.stringMatching(/^The conversation .* could not be kept. /)]);
  });

  it('gets the pins that it had no time for when it is opened again', async () => {
    const shelf = memoryShelf();
    await shelf.create({
      id: 'begun',
      begins: receivedConversation([user('one')], '2026-01-01T00:00:00.000Z').entries[0]?.id ?? '',
      created: '2026-01-01T00:00:00.000Z',
    });
    const { send, conversations } = await program({ pins, shelf });
    const context = await send([user('one')]);
    expect(conversations.newest?.items.map(({ rationale }) => rationale)).toEqual(['Releases are done by hand.']);
    expect(JSON.stringify(context.messages)).toContain('Never push.');
  });

  it('a conversation begins in memory if the shelf throws when it is looked up', async () => {
    const down = () => Promise.reject(new Error('The database is down.'));
    const notices = await holds({
      shelf: { beginnings: down, create: down, open: down, openOrCreate: down, list: down },
    });
    expect(notices).toHaveLength(2);
  });

  it('a conversation is recorded even if the program’s own listener throws', async () => {
    const notices = await holds({
      onConversation: () => {
        throw new Error('Not my day.');
      },
    });
    expect(notices).toEqual(['onConversation failed: Not my day.']);
  });
});

describe('what a program says of its conversations', () => {
  it('pins each constraint with its reason', async () => {
    const { agent, conversations } = await program({ pins });
    await agent()('one');
    expect(conversations.newest?.items).toMatchObject(pins);
  });

  it('an invalid window is asked for again, and reported once for each model', async () => {
    for (const none of [Number.NaN, 0, -1, undefined, Number.POSITIVE_INFINITY]) {
      const { conversations, notices } = await program({ window: () => none as number });
      expect([conversations.windowOf('one'), conversations.windowOf('one')]).toEqual([200_000, 200_000]);
      expect(notices).toEqual([`Invalid window of one: ${none} tokens. Using 200000.`]);
    }
  });
});

describe('a server that reports nonsense', () => {
  it('does not have a conversation compacted before it is long', async () => {
    const honest = await program();
    const ask = honest.agent();
    for (let at = 0; at < 40; at += 1) await ask(`Part ${at}. ${long(`Look at part ${at}.`, 8)}`);
    const expected = honest.conversations.newest?.compactions.length ?? 0;
    let sum = 0;
    const reports = [() => 5_000_000, (sent: number) => (sum += sent)];
    for (const report of reports) {
      const { agent, conversations } = await program();
      const askOften = agent();
      for (let at = 0; at < 40; at += 1) {
        const sent = conversations.newest?.current.tokens.total ?? 100;
        const usage = { input: report(sent), output: 0, cacheRead: 0, cacheWrite: 0 };
        await askOften(`Part ${at}. ${long(`Look at part ${at}.`, 8)}`, usage);
      }
      expect(conversations.newest?.compactions.length).toBeLessThanOrEqual(expected + 2);
    }
  });
});
