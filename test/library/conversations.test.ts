import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { memoryStore } from '../../extension/conversations/stores/memory-store';
import { storeShelf } from '../../extension/conversations/stores/store-shelf';
import { TokenLedger } from '../../extension/engine/conversation/tokens';
import { type ConversationsOptions, createConversations } from '../../extension/library';
import { conversationFolder } from '../../extension/library/node';
import type { ReceivedMessage } from '../../extension/middleware/recognition/received';
import { receivedConversation } from '../../extension/middleware/recognition/received-entries';
import { long } from '../builders/conversation';

const countTokens = (text: string) => Math.ceil(text.length / 4);
const window = 16_000;

function user(text: string): ReceivedMessage {
  return { role: 'user', parts: [{ type: 'text', text }] };
}

function said(at: number, text: string): ReceivedMessage {
  return at % 2 === 0 ? user(text) : { role: 'assistant', parts: [{ type: 'text', text }] };
}

/** An agent that sends its whole history with each request, in the form in which the wire formats read it. */
async function agentOf(options: Partial<ConversationsOptions> = {}) {
  const notices: string[] = [];
  const conversations = await createConversations({
    window,
    countTokens,
    onNotice: (message) => notices.push(message),
    ...options,
  });
  const history: ReceivedMessage[] = [];
  const send = async (said: readonly ReceivedMessage[]) => {
    const kept = await conversations.keep({
      received: receivedConversation(said, conversations.now()),
      system: ['Be brief.'],
      tools: null,
      model: 'scripted',
      contextWindow: window,
      signal: new AbortController().signal,
    });
    kept.answer?.add({ type: 'text', text: `Answer to ${said.length}.` });
    await kept.answer?.end('answered');
    kept.done();
    return kept.context;
  };
  const ask = async (text: string) => {
    history.push(user(text));
    const context = await send(history);
    history.push({ role: 'assistant', parts: [{ type: 'text', text: `Answer to ${history.length}.` }] });
    return context;
  };
  return { conversations, notices, history, send, ask };
}

describe('conversations of a program', () => {
  it('conversations never exceed the window and keep their pins, however long they get', async () => {
    const { conversations, ask, notices } = await agentOf({ pins: [{ kind: 'constraint', text: 'Never push.' }] });
    for (let at = 0; at < 60; at += 1) {
      const { tokens, messages } = await ask(`Part ${at}. ${long(`Look at part ${at}.`, 30)}`);
      expect(tokens.total).toBeLessThanOrEqual(window * 0.9);
      expect(JSON.stringify(messages)).toContain('Never push.');
    }
    expect(conversations.contexts).toHaveLength(1);
    expect(conversations.newest?.compactions.length).toBeGreaterThan(0);
    expect(conversations.newest?.entries).toHaveLength(120 + 1);
    expect(notices).toEqual([]);
  });

  it('conversations of a program are recognized by their beginnings, even if two begin alike', async () => {
    const { conversations, send } = await agentOf();
    await send([user('one')]);
    await send([user('two')]);
    await send([user('one'), { role: 'assistant', parts: [{ type: 'text', text: 'Answer to 1.' }] }, user('left')]);
    await send([user('one')]);
    expect(conversations.contexts).toHaveLength(3);
  });

  it('a conversation continues also after a request of another one in between', async () => {
    const { send } = await agentOf();
    const histories = ['one', 'two'].map((name) => Array.from({ length: 101 }, (_, at) => said(at, `${name} ${at}`)));
    for (const history of histories) await send(history);
    const looked = vi.spyOn(TokenLedger.prototype, 'ofEntry');
    onTestFinished(() => looked.mockRestore());
    for (const history of histories) {
      history.push(said(1, `Answer to ${history.length}.`), said(0, 'Go on.'));
      await send(history);
    }
    expect(looked.mock.calls.length).toBeGreaterThan(0);
    expect(looked.mock.calls.length).toBeLessThan(50);
  });

  it('conversations of a program go back with an agent that rewrites its history, if all of them are one person’s', async () => {
    const { conversations, history, ask, send } = await agentOf({ goesBack: true });
    await ask('one');
    await ask('two');
    const context = await send([...history.slice(0, 2), user('instead of two')]);
    expect(conversations.contexts).toHaveLength(1);
    expect(context.messages.map(({ key }) => key)).toHaveLength(4);
    expect(JSON.stringify(context.messages)).not.toContain('"two"');
  });

  it('a context in a store says at the first refresh that another process wrote to its journal', async () => {
    const shelf = storeShelf(memoryStore());
    const [one, two] = [await agentOf({ shelf }), await agentOf({ shelf })];
    const context = await one.conversations.conversation({ conversation: 'thread-7' });
    const other = await two.conversations.conversation({ conversation: 'thread-7' });
    const changes: string[] = [];
    context.subscribe((change) => changes.push(change));
    await other.pin('constraint', 'Never push.');
    expect(await context.refresh()).toBe(true);
    expect(changes).toEqual(['journal']);
    expect(await context.refresh()).toBe(false);
  });

  it('conversations of a program take an undo and a pin from outside with the next request', async () => {
    const { conversations, ask } = await agentOf();
    for (let at = 0; at < 40; at += 1) await ask(`Part ${at}. ${long(`Look at part ${at}.`, 30)}`);
    const before = await ask('How far are we?');
    expect(before.messages.some(({ block }) => block)).toBe(true);
    await conversations.newest?.pin('constraint', 'No new packages.');
    const after = await ask('And now?');
    expect(JSON.stringify(after.messages)).toContain('No new packages.');
  });

  it('a conversation continues from disk in another process, with its compactions', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'strata-conversations-'));
    const shelf = () => conversationFolder({ folder, onWarning: (message) => expect.unreachable(message) });
    const first = await agentOf({ shelf: shelf() });
    for (let at = 0; at < 40; at += 1) await first.ask(`Part ${at}. ${long(`Look at part ${at}.`, 30)}`);
    const last = await first.ask('How far are we?');
    const second = await agentOf({ shelf: shelf() });
    const context = await second.send([...first.history, user('Go on.')]);
    expect(second.conversations.newest?.compactions).toHaveLength(first.conversations.newest?.compactions.length ?? -1);
    expect(context.messages.filter(({ block }) => block)).toEqual(last.messages.filter(({ block }) => block));
  });

  it('conversations of a program are left as they are if nothing may be compacted by itself', async () => {
    const { conversations, ask, notices } = await agentOf({ automation: { enabled: false } });
    for (let at = 0; at < 40; at += 1) await ask(`Part ${at}. ${long(`Look at part ${at}.`, 30)}`);
    expect(conversations.newest?.compactions).toEqual([]);
    expect(
      notices.some((notice) => /can be compacted; scripted takes 16000, of which 1600 are for its answer/.test(notice)),
    ).toBe(true);
  });
});
