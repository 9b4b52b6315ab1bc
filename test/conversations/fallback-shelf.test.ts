import { describe, expect, it } from 'vitest';
import type { ContextEvent } from '../../extension/conversations/events';
import { memoryStore } from '../../extension/conversations/stores/memory-store';
import type { RecordStore } from '../../extension/conversations/stores/record-store';
import { storeShelf } from '../../extension/conversations/stores/store-shelf';
import { programWith, textOfContext } from '../library/many-agents';
import { replies, says } from '../middleware/recognition/received';

/** A store whose calls can be made to fail, before they take effect or after. */
function failingStore(inner: RecordStore) {
  const state = { fails: (_call: string, _id?: string): 'before' | 'after' | null => null };
  const calling = async <T>(call: string, work: () => Promise<T>, id?: string): Promise<T> => {
    const when = state.fails(call, id);
    if (when === 'before') throw new Error('The store is down.');
    const result = await work();
    if (when === 'after') throw new Error('The connection broke.');
    return result;
  };
  const store: RecordStore = {
    read: (...given) => calling('read', () => inner.read(...given)),
    append: (...given) => calling('append', () => inner.append(...given), given[0].id),
    find: (...given) => calling('find', () => inner.find(...given)),
    list: (...given) => calling('list', () => inner.list(...given)),
    delete: (...given) => calling('delete', () => inner.delete(...given)),
    prune: (...given) => calling('prune', () => inner.prune(...given)),
    close: () => inner.close(),
  };
  return { store, state };
}

const thread = { conversation: 'thread-7', scope: 'acme' };

/** One process on a store that may fail. */
async function processOn(inner: RecordStore) {
  const { store, state } = failingStore(inner);
  const events: ContextEvent[] = [];
  const program = await programWith({ shelf: storeShelf(store), onEvent: (event) => events.push(event) });
  return { ...program, state, events };
}

const context = async ({ conversations }: Awaited<ReturnType<typeof processOn>>) =>
  await conversations.conversation(thread);

describe('a conversation whose store fails', () => {
  it('keeps the pins and undos that were made meanwhile, and those that others made', async () => {
    const inner = memoryStore();
    const own = await processOn(inner);
    const other = await processOn(inner);
    const history = [says('one')];
    await own.send(history, 'Done one.', thread);
    own.state.fails = () => 'before';
    await (await context(own)).pin('constraint', 'Never push.');
    history.push(replies('Done one.'), says('two'));
    expect(textOfContext(await own.send(history, 'Done two.', thread))).toContain('Never push.');
    await (await context(other)).pin('decision', 'Use tabs.');
    own.state.fails = () => null;
    await own.conversations.bringBack();
    expect(own.conversations.inMemory).toBe(0);
    const pins = async (program: typeof own) => (await context(program)).items.map(({ text }) => text);
    expect(await pins(own)).toEqual(['Use tabs.', 'Never push.']);
    expect(await pins(other)).toEqual(['Use tabs.', 'Never push.']);
    const kinds = own.events.map(({ kind }) => kind);
    expect(kinds).toEqual(['moved-to-memory', 'returned']);
  });

  it('has a pin only once if its record arrived although the call failed', async () => {
    const inner = memoryStore();
    const own = await processOn(inner);
    await own.send([says('one')], 'Done one.', thread);
    let isDown = false;
    own.state.fails = (call) => {
      if (isDown) return 'before';
      isDown = call === 'append';
      return isDown ? 'after' : null;
    };
    const opened = await context(own);
    await opened.pin('constraint', 'Never push.');
    expect(own.conversations.inMemory).toBe(1);
    own.state.fails = () => null;
    await own.conversations.bringBack();
    const other = await processOn(inner);
    expect((await context(other)).items).toHaveLength(1);
    expect(opened.items).toHaveLength(1);
  });

  it('has the last known core if the conversation is no longer open', async () => {
    const inner = memoryStore();
    const own = await processOn(inner);
    const history = [says('one')];
    await own.send(history, 'Done one.', thread);
    await (await context(own)).pin('constraint', 'Never push.');
    for (let at = 0; at < 500; at += 1)
      await own.send([says('Hello.')], 'Hi.', { ...thread, conversation: `other-${at}` });
    expect(own.conversations.contexts.some(({ identity }) => identity.conversation === 'thread-7')).toBe(false);
    own.state.fails = () => 'before';
    history.push(replies('Done one.'), says('two'));
    expect(textOfContext(await own.send(history, 'Done two.', thread))).toContain('Never push.');
    own.state.fails = () => null;
    await own.conversations.bringBack();
    const { entries, items } = await context(await processOn(inner));
    expect(entries.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant']);
    expect(items).toHaveLength(1);
  });

  it('returns to the store if another process deleted it meanwhile', async () => {
    const inner = memoryStore();
    const other = await processOn(inner);
    const own = await processOn(inner);
    const history = [says('one')];
    await other.send(history, 'Done one.');
    history.push(replies('Done one.'), says('two'));
    await own.send(history, 'Done two.');
    own.state.fails = () => 'before';
    history.push(replies('Done two.'), says('three'));
    await own.send(history, 'Done three.');
    await inner.prune('2999-01-01T00:00:00.000Z');
    own.state.fails = () => null;
    await own.conversations.bringBack();
    expect(own.conversations.inMemory).toBe(0);
    history.push(replies('Done three.'), says('four'));
    expect(textOfContext(await own.send(history, 'Done four.'))).toMatch(/one.*two.*three.*four/);
    expect(own.conversations.inMemory).toBe(0);
  });

  it('leaves other conversations in the store if it refuses only one of them', async () => {
    const inner = memoryStore();
    const own = await processOn(inner);
    await own.send([says('one')], 'Done one.', thread);
    const [{ id: refused = '' } = {}] = await inner.list('acme');
    own.state.fails = (_call, id) => (id === refused ? 'before' : null);
    await own.send([says('one'), replies('Done one.'), says('two')], 'Done two.', thread);
    expect(own.conversations.inMemory).toBe(1);
    await own.send([says('Hello.')], 'Hi.', { ...thread, conversation: 'other' });
    expect(own.conversations.inMemory).toBe(1);
    expect((await inner.list('acme')).map(({ name }) => name)).toEqual(['thread-7', 'other']);
  });

  it.each([1, 2, 3, 4, 5, 6])('loses no answered turn and no pin if calls fail at random (%i)', async (seed) => {
    let random = seed * 7_919;
    const next = () => {
      random = (random * 48_271) % 2_147_483_647;
      return random / 2_147_483_647;
    };
    const inner = memoryStore();
    const processes = [await processOn(inner), await processOn(inner)] as const;
    const history = [says('Begin.')];
    await processes[0].send(history, 'Begun.', thread);
    history.push(replies('Begun.'));
    await (await context(processes[0])).pin('constraint', 'Never push.');
    await context(processes[1]);
    for (let at = 0; at < 40; at += 1) {
      const share = next() < 0.5 ? 0 : next();
      for (const { state } of processes)
        state.fails = () => (next() < share ? (next() < 0.5 ? 'before' : 'after') : null);
      const process = processes[next() < 0.5 ? 0 : 1];
      history.push(says(`Ask ${at}.`));
      expect(textOfContext(await process.send(history, `Done ${at}.`, thread))).toContain('Never push.');
      history.push(replies(`Done ${at}.`));
    }
    for (const { state, conversations } of processes) {
      state.fails = () => null;
      await conversations.bringBack();
      expect(conversations.inMemory).toBe(0);
    }
    const stored = await context(await processOn(inner));
    const said = new Set(stored.entries.map(({ parts }) => JSON.stringify(parts)));
    for (const { parts } of history) expect(said).toContain(JSON.stringify(parts));
    expect(stored.items.map(({ text }) => text)).toEqual(['Never push.']);
  });
});
