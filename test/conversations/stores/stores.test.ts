import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encryptedStore, WrongKey } from '../../../extension/conversations/stores/encrypted-store';
import { lossIn } from '../../../extension/conversations/stores/lost-record';
import { memoryStore } from '../../../extension/conversations/stores/memory-store';
import type { RecordStore } from '../../../extension/conversations/stores/record-store';
import { storeChecks } from '../../../extension/conversations/stores/store-checks';
import { storeShelf } from '../../../extension/conversations/stores/store-shelf';
import { programWith, reply, textOfContext, user, wrongPins } from '../../library/many-agents';
import { type StorePlace, storePlaces } from './stores';

for (const [kind, place] of Object.entries(storePlaces)) {
  describe(`the store: ${kind}`, () => {
    let data: StorePlace;
    let store: RecordStore;
    let other: RecordStore;
    beforeAll(async () => {
      data = await place();
      store = await data.open();
      other = await data.open();
    }, 60_000);
    afterAll(() => data?.close());

    for (const { name, run } of storeChecks) it(`${kind} ${name}`, () => run(store, other));

    // More than a pool has connections. Where agents wait for connections or for files, as many as a large team has.
    const agents = kind === 'Postgres' || kind === 'folder' ? 300 : 60;
    it(`${kind} has the pins of ${agents} agents at once, and another process has them too`, async () => {
      const programs = [
        await programWith({ shelf: storeShelf(store) }),
        await programWith({ shelf: storeShelf(other) }),
      ];
      const scopeOf = (agent: number) => `tenant-${agent % 3}`;
      const [missing] = await Promise.all([programs[0] ? wrongPins(programs[0], agents, scopeOf) : -1]);
      expect(missing).toBe(0);
      // The other program continues the same conversations.
      const sent = await programs[1]?.send([user('Anew.')], 'Yes.', { conversation: 'thread-7', scope: 'tenant-1' });
      expect(sent && textOfContext(sent)).toContain('Never touch part <7>.');
      expect(await programs[1]?.conversations.list('tenant-1')).toHaveLength(agents / 3);
      expect(programs.flatMap(({ notices }) => notices)).toEqual([]);
    }, 120_000);
  });
}

describe('a request', () => {
  /** Counts the round trips of each method. */
  function counted(store: RecordStore) {
    const counts = { read: 0, append: 0, find: 0 };
    const read: RecordStore['read'] = (...asked) => {
      counts.read += 1;
      return store.read(...asked);
    };
    const append: RecordStore['append'] = (...asked) => {
      counts.append += 1;
      return store.append(...asked);
    };
    const find: RecordStore['find'] = (...asked) => {
      counts.find += 1;
      return store.find(...asked);
    };
    return { counts, store: { ...store, read, append, find } };
  }

  for (const [how, conversation, finds] of [
    ['with a key', 'one', 0],
    ['without one', undefined, 1],
  ] as const) {
    it(`${how} reads its store once and writes once, and once more for its answer`, async () => {
      const { counts, store } = counted(memoryStore());
      const { send } = await programWith({ shelf: storeShelf(store) });
      const history = [user('Go.')];
      const identity = conversation === undefined ? {} : { conversation };
      await send(history, 'Answer 0.', identity);
      for (let turn = 0; turn < 3; turn += 1) {
        history.push(reply(`Answer ${turn}.`), user(`And ${turn}?`));
        Object.assign(counts, { read: 0, append: 0, find: 0 });
        await send(history, `Answer ${turn + 1}.`, identity);
        expect(counts).toEqual({ read: 1, append: 2, find: finds });
      }
    });
  }
});

describe('a store that breaks its promises', () => {
  const broken: Readonly<Record<string, (store: RecordStore) => RecordStore>> = {
    'appends anywhere': (store) => ({
      ...store,
      append: async (key, _, records, about) => store.append(key, (await store.read(key, 0)).length, records, about),
    }),
    'shares scopes': (store) => ({
      ...store,
      read: ({ id }, from) => store.read({ scope: '', id }, from),
      append: ({ id }, ...more) => store.append({ scope: '', id }, ...more),
    }),
    'loses what is empty': (store) => ({
      ...store,
      read: async (key, from) => (await store.read(key, from)).filter((record) => record !== ''),
    }),
    'prunes what is new': (store) => ({ ...store, prune: () => store.prune('2999-01-01T00:00:00.000Z') }),
    'forgets names': (store) => ({
      ...store,
      find: async (...asked) => (await store.find(...asked)).map((one) => ({ ...one, name: null })),
    }),
  };
  for (const [fault, breaking] of Object.entries(broken)) {
    it(`is detected if it ${fault}`, async () => {
      const store = breaking(memoryStore());
      const outcomes = await Promise.allSettled(storeChecks.map(({ run }) => run(store, store)));
      expect(outcomes.some(({ status }) => status === 'rejected')).toBe(true);
    });
  }
});

describe('an encrypted store', () => {
  const key = Buffer.alloc(32, 7).toString('base64');
  const about = { begins: 'the beginning', name: 'secret thread', created: '2026-01-01T00:00:00.000Z' };
  const one = { scope: 'acme', id: '1' };

  it('an encrypted store shows no content, name or beginning to a reader of the store below', async () => {
    const below = memoryStore();
    await encryptedStore(below, key).append(one, 0, ['a secret'], about);
    const shown = JSON.stringify([await below.read(one, 0), await below.list('acme')]);
    for (const word of ['secret', 'thread', 'beginning']) expect(shown).not.toContain(word);
  });

  it('refuses another key, and a record that was put in another place', async () => {
    const below = memoryStore();
    const store = encryptedStore(below, key);
    await store.append(one, 0, ['first', 'second'], about);
    const [first = '', second = ''] = await below.read(one, 0);
    await below.append({ ...one, id: '2' }, 0, [second, first], about);
    expect((await store.read({ ...one, id: '2' }, 0)).map((record) => String(lossIn(record)))).toEqual([
      'it cannot be decrypted',
      'it cannot be decrypted',
    ]);
    await expect(encryptedStore(below, 'ff'.repeat(32)).read(one, 0)).rejects.toThrow(WrongKey);
    expect(() => encryptedStore(below, 'too short')).toThrow(/32 bytes/);
  });

  it('an encrypted store stays with its first key, also if two processes begin it at once and after it was pruned', async () => {
    const below = memoryStore();
    const other = Buffer.alloc(32, 8).toString('base64');
    const begun = await Promise.allSettled([key, other].map((each) => encryptedStore(below, each).claim()));
    expect(begun.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    const [ours, theirs] = begun[0]?.status === 'fulfilled' ? [key, other] : [other, key];
    const store = encryptedStore(below, ours);
    await store.append(one, 0, ['first'], about);
    expect(await store.prune('9999-01-01T00:00:00.000Z')).toBe(1);
    await expect(encryptedStore(below, theirs).append(one, 0, ['second'], about)).rejects.toThrow(WrongKey);
    await expect(encryptedStore(below, theirs).list('acme')).rejects.toThrow(WrongKey);
    expect(await store.read(one, 0)).toEqual([]);
  });

  it('an encrypted store reads its mark again after a read that failed', async () => {
    const below = memoryStore();
    let isAway = true;
    const read: RecordStore['read'] = async (...asked) => {
      if (isAway) throw new Error('away');
      return await below.read(...asked);
    };
    const store = encryptedStore({ ...below, read }, key);
    await expect(store.append(one, 0, ['first'], about)).rejects.toThrow('away');
    isAway = false;
    await store.append(one, 0, ['first'], about);
    expect(await store.read(one, 0)).toEqual(['first']);
  });
});
