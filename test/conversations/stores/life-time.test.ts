import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { conversationFiles, deleteConversation } from '../../../extension/conversations/shelves/conversation-files';
import { conversationFolder } from '../../../extension/conversations/shelves/conversation-folder';
import { LifeTime } from '../../../extension/conversations/stores/life-time';
import { memoryStore } from '../../../extension/conversations/stores/memory-store';
import type { RecordStore } from '../../../extension/conversations/stores/record-store';
import { storeShelf } from '../../../extension/conversations/stores/store-shelf';
import { programWith, reply, textOfContext, user } from '../../library/many-agents';
import { newFolder, openers, type StoreKind } from './stores';
import { newPlaces, withServers } from './with-servers';

const dayMs = 86_400_000;
const keepMs = 30 * dayMs;
const about = { begins: 'shared', name: null, created: '2026-01-01T00:00:00.000Z' };

const addresses = newPlaces(withServers());

async function opened(kind: StoreKind, address: string): Promise<RecordStore> {
  const store = await openers[kind](address);
  onTestFinished(() => store.close());
  return store;
}

const scopes = ['acme', 'globex'] as const;

/**
 * Begins conversations of each tenant and continues one of them later. Resolves to a time of the store between the old
 * and the new writes.
 */
async function withOldAndNew(store: RecordStore, old: number): Promise<number> {
  const begin = (scope: string, id: string) => store.append({ scope, id }, 0, ['first'], about);
  for (const scope of scopes) {
    await begin(scope, 'in use');
    for (let at = 0; at < old; at += 1) await begin(scope, `old ${at}`);
  }
  await delay(5);
  for (const scope of scopes) {
    await store.append({ scope, id: 'in use' }, 1, ['second'], about);
    await begin(scope, 'new');
  }
  const all = (await Promise.all(scopes.map((scope) => store.list(scope)))).flat();
  return Math.min(...all.filter(({ id }) => !id.startsWith('old')).map(({ updated }) => Date.parse(updated)));
}

async function ids(store: RecordStore): Promise<string[][]> {
  const lists = await Promise.all(scopes.map((scope) => store.list(scope)));
  return lists.map((list) => list.map(({ id }) => id).sort());
}

/** The number of conversations that the processes together report as deleted. */
function deleted(told: readonly string[]): number {
  return told.reduce((total, line) => total + Number(/^Deleted (\d+) conversation/.exec(line)?.[1]), 0);
}

describe.each(Object.keys(addresses) as StoreKind[])('a life time in the store %s', (kind) => {
  it(`deletes in ${kind} what is old of each tenant and nothing else, even if four processes do so at once`, async () => {
    const address = await addresses[kind]();
    const store = await opened(kind, address);
    const between = await withOldAndNew(store, 30);
    const told: string[] = [];
    const lives = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const own = await opened(kind, address);
        return new LifeTime({
          ...{ store: own, keepMs },
          tell: (message) => told.push(message),
          now: () => between + keepMs,
        });
      }),
    );
    await Promise.all(lives.map((life) => life.end()));
    // A conversation is counted only by the process that deleted it.
    expect(deleted(told)).toBe(60);
    const kept = ['in use', 'new'];
    expect(await ids(store)).toEqual([kept, kept]);
    for (const scope of scopes) {
      expect(await store.read({ scope, id: 'in use' }, 0)).toEqual(['first', 'second']);
      expect(await store.read({ scope, id: 'old 7' }, 0)).toEqual([]);
    }
  }, 60_000);
});

describe('the deletion of old conversations', () => {
  it('runs again at intervals until it is ended', async () => {
    let clock = Date.now();
    const store = memoryStore(() => new Date(clock).toISOString());
    const told: string[] = [];
    const tell = (message: string) => void told.push(message);
    const life = new LifeTime({ store, keepMs, tell, now: () => clock, everyMs: 1 });
    await store.append({ scope: 'acme', id: '1' }, 0, ['first'], about);
    await delay(10);
    expect(told).toEqual([]);
    clock += keepMs + 1;
    while (told.length === 0) await delay(1);
    expect(told).toEqual([expect.stringMatching(/^Deleted 1 conversation not written to since \d{4}-/)]);
    await life.end();
    await store.append({ scope: 'acme', id: '2' }, 0, ['first'], about);
    clock += 2 * keepMs;
    await delay(10);
    expect(await store.list('acme')).toHaveLength(1);
  });

  it('deletes no conversation that may be in use, however short the life time is', async () => {
    let clock = Date.now();
    const store = memoryStore(() => new Date(clock).toISOString());
    await store.append({ scope: 'acme', id: '1' }, 0, ['first'], about);
    clock += 9 * 60_000;
    await new LifeTime({ store, keepMs: 0, tell: () => undefined, now: () => clock }).end();
    expect(await store.list('acme')).toHaveLength(1);
  });

  it('reports what it could not delete, and continues', async () => {
    const told: string[] = [];
    const prune = () => Promise.reject(new Error('the server is away'));
    const life = new LifeTime({ store: { prune }, keepMs, tell: (message) => told.push(message), everyMs: 1 });
    while (told.length < 2) await delay(1);
    await life.end();
    expect(told[1]).toBe('Old conversations could not be deleted: the server is away');
  });
});

describe('a conversation that was deleted while a process has it open', () => {
  const identity = { conversation: 'thread-1', scope: 'acme' };

  it.each(Object.keys(addresses) as StoreKind[])(
    'begins again with the next request, in %s',
    async (kind) => {
      const address = await addresses[kind]();
      const [store, other] = [await opened(kind, address), await opened(kind, address)];
      const name = { ...identity, conversation: crypto.randomUUID() };
      const a = await programWith({ shelf: storeShelf(store) });
      const b = await programWith({ shelf: storeShelf(other) });
      await a.send([user('One.')], 'First.', name);
      await (await a.conversations.conversation(name)).pin('constraint', 'Never push.');
      await other.prune('2999-01-01T00:00:00.000Z');
      const history = [user('One.'), reply('First.'), user('Two.')];
      const sent = await a.send(history, 'Second.', name);
      expect(sent.messages.filter(({ role }) => role === 'user')).toHaveLength(2);
      expect(textOfContext(sent)).not.toContain('Never push.');
      history.push(reply('Second.'), user('Three.'));
      // Another process continues the new conversation.
      expect(textOfContext(await b.send(history, 'Third.', name))).toContain('Three.');
      expect([...a.notices, ...b.notices]).toEqual([]);
    },
    60_000,
  );

  it('a conversation that was deleted while it is open begins again with the next request, in a folder that the inspector opens', async () => {
    const folder = await newFolder('kept');
    const a = await programWith({ shelf: conversationFolder({ folder }) });
    const name = { conversation: 'thread-1' };
    await a.send([user('One.')], 'First.', name);
    await (await a.conversations.conversation(name)).pin('constraint', 'Never push.');
    for (const kept of await conversationFiles(folder)) await deleteConversation(kept);
    const sent = await a.send([user('One.'), reply('First.'), user('Two.')], 'Second.', name);
    expect(textOfContext(sent)).toMatch(/One\..*Two\./);
    expect(textOfContext(sent)).not.toContain('Never push.');
    expect(await conversationFiles(folder)).toHaveLength(1);
    expect(a.notices).toEqual([]);
  });

  it.each(['a store', 'a folder'])('without a key, begins again with the next request, in %s', async (place) => {
    const store = memoryStore();
    const folder = await newFolder('kept');
    const inStore = place === 'a store';
    const a = await programWith({ shelf: inStore ? storeShelf(store) : conversationFolder({ folder }) });
    const history = [user('One.')];
    await a.send(history, 'First.');
    history.push(reply('First.'), user('Two.'));
    await a.send(history, 'Second.');
    await a.conversations.contexts[0]?.pin('constraint', 'Never push.');
    if (inStore) await store.prune('2999-01-01T00:00:00.000Z');
    else for (const kept of await conversationFiles(folder)) await deleteConversation(kept);
    history.push(reply('Second.'), user('Three.'));
    const sent = await a.send(history, 'Third.');
    expect(textOfContext(sent)).toMatch(/One\..*Three\./);
    expect(textOfContext(sent)).not.toContain('Never push.');
    expect(inStore ? await store.list('') : await conversationFiles(folder)).toHaveLength(1);
    expect(a.notices).toEqual([]);
  });

  it('a conversation that was deleted and begun again by another process continues as that one', async () => {
    const store = memoryStore();
    const a = await programWith({ shelf: storeShelf(store) });
    const b = await programWith({ shelf: storeShelf(store) });
    await a.send([user('One.')], 'First.', identity);
    await store.prune('2999-01-01T00:00:00.000Z');
    // Records have times, so the same turn at another time is a different record.
    await delay(5);
    await b.send([user('Something else.')], 'Indeed.', identity);
    await b.send([user('Something else.'), reply('Indeed.'), user('More.')], 'Yes.', identity);
    const context = await a.conversations.conversation(identity);
    expect(context.entries.filter(({ role }) => role !== 'system').flatMap(({ parts }) => parts)).toMatchObject(
      ['Something else.', 'Indeed.', 'More.', 'Yes.'].map((text) => ({ text })),
    );
    expect([...a.notices, ...b.notices]).toEqual([]);
  });

  it('a process that still holds a deleted conversation gets an error with its name', async () => {
    const store = memoryStore();
    const a = await programWith({ shelf: storeShelf(store) });
    await a.send([user('One.')], 'First.', identity);
    const context = await a.conversations.conversation(identity);
    await store.prune('2999-01-01T00:00:00.000Z');
    await expect(context.pin('constraint', 'Never push.')).rejects.toThrow(
      'The conversation thread-1 was deleted from its store.',
    );
  });
});
