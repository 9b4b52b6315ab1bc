import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { encryptedStore } from '../../../extension/conversations/stores/encrypted-store';
import { memoryStore } from '../../../extension/conversations/stores/memory-store';
import { reconnectingStore } from '../../../extension/conversations/stores/places/reconnecting-store';
import type { RecordStore } from '../../../extension/conversations/stores/record-store';
import { storeShelf } from '../../../extension/conversations/stores/store-shelf';
import { followStored, storedSession } from '../../../extension/conversations/stores/stored-session';
import { Inspection, type Unread } from '../../../extension/inspection/inspection';
import { assumedContextWindow } from '../../../extension/sessions/model-windows';
import type { Session } from '../../../extension/sessions/session';
import { type Program, programWith, reply, user } from '../../library/many-agents';
import { type RestartableServer, startPostgres } from './servers';
import { openers } from './stores';

/** Tests of a conversation in a store that a person watches while programs continue it. */

const named = { place: 'a-store', scope: 'acme', name: 'thread-7' };
const identity = { conversation: 'thread-7', scope: 'acme' };
const answer = (at: number) => `answer ${at}. ${'It is done as asked. '.repeat(40)}`;
const said = (turns: number) => Array.from({ length: turns }, (_, at) => [user(`ask ${at}`), reply(answer(at))]).flat();

/** A program that has had this many turns. Each call of `next` adds one. */
async function serving(store: RecordStore, turns = 3): Promise<{ program: Program; next(): Promise<void> }> {
  const program = await programWith({ shelf: storeShelf(store) });
  let at = 0;
  const next = async () => {
    await program.send([...said(at), user(`ask ${at}`)], answer(at), identity);
    at += 1;
  };
  while (at < turns) await next();
  return { program, next };
}

/** A person who has the panel on screen or not. */
function watcher(isVisible = true) {
  const listeners = new Set<() => void>();
  const watched = {
    isVisible,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    show(now: boolean) {
      watched.isVisible = now;
      for (const listener of listeners) listener();
    },
    get listeners() {
      return listeners.size;
    },
  };
  return watched;
}

/** Times short enough for a test, and long enough that no result depends on them. */
const timing = { poll: 5, longestPause: 20 };

function following(watched = watcher()) {
  const controller = new AbortController();
  onTestFinished(() => controller.abort());
  const sessions: Session[] = [];
  const troubles: (string | null)[] = [];
  const unread: (Unread | null)[] = [];
  const options = {
    ...{ signal: controller.signal, watched, timing },
    onChange: (session: Session) => void sessions.push(session),
    onTrouble(now: Unread | null) {
      unread.push(now);
      troubles.push(now === null ? null : String(now.reason));
    },
  };
  return { options, sessions, troubles, unread, controller, watched };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 2));
}

const textsOf = ({ conversation }: Session) =>
  conversation.agentContext.filter(({ role }) => role !== 'system').map(({ parts }) => JSON.stringify(parts[0]));

/** A store whose calls fail while it is broken, and are counted. */
function breakable(store: RecordStore) {
  const state = { isBroken: false, reads: [] as number[] };
  const broken: RecordStore = {
    ...store,
    read: async (key, from) => {
      if (state.isBroken) throw new Error('connection refused');
      state.reads.push(from);
      return await store.read(key, from);
    },
    append: async (...given) => {
      if (state.isBroken) throw new Error('connection refused');
      return await store.append(...given);
    },
  };
  return { state, store: broken };
}

describe('a conversation in a store that is followed', () => {
  it('is reported with what others add, each time by one read of what is new', async () => {
    const { store, state } = breakable(memoryStore());
    const { next } = await serving(store);
    const { options, sessions } = following();
    const followed = await followStored(store, named, options);
    expect(textsOf(followed.session)).toHaveLength(6);
    expect(followed.session).toMatchObject({
      file: 'a-store#acme/thread-7',
      store: { place: 'a-store', tenant: 'acme', name: 'thread-7' },
    });
    state.reads.length = 0;
    await next();
    await until(() => sessions.some((session) => textsOf(session).length === 8));
    const length = (await store.list('acme'))[0]?.length ?? 0;
    // The read names the newest known record, which shows that nothing was deleted.
    await until(() => state.reads.at(-1) === length - 1);
    expect(Math.min(...state.reads)).toBeGreaterThan(0);
    const reports = sessions.length;
    await until(() => state.reads.filter((from) => from === length - 1).length > 3);
    expect(sessions).toHaveLength(reports);
  });

  it('a followed conversation is not read while no view shows it, and at once when one does', async () => {
    const { store, state } = breakable(memoryStore());
    const { next } = await serving(store);
    const { options, sessions, watched, controller } = following(watcher(false));
    await followStored(store, named, options);
    state.reads.length = 0;
    await next();
    const ofProgram = state.reads.length;
    await new Promise((resolve) => setTimeout(resolve, timing.longestPause * 3));
    expect([state.reads.length, sessions.length]).toEqual([ofProgram, 0]);
    watched.show(true);
    await until(() => sessions.length > 0);
    watched.show(false);
    controller.abort();
    expect(watched.listeners).toBe(0);
  });

  it('a followed conversation keeps its last state while the store is away, gives the reason, and continues by itself', async () => {
    const { store, state } = breakable(memoryStore());
    const { next } = await serving(store);
    const { options, sessions, troubles } = following();
    const through = reconnectingStore('a-store', async () => store);
    const { journal } = await followStored(through, named, options);
    const inspection = await Inspection.of((await storedSession(store, named)).current.session, journal);
    state.isBroken = true;
    await until(() => troubles.length > 1);
    expect(troubles[0]).toBe('The call `read` of the store a-store failed: connection refused');
    await expect(inspection.coreEditor.pin('constraint', 'Never push.', null)).rejects.toThrow(
      /^The conversation thread-7 could not be written to its store: .*`append`.*connection refused/,
    );
    expect(inspection.state.items).toEqual([]);
    state.isBroken = false;
    await until(() => troubles.at(-1) === null);
    await next();
    await until(() => sessions.length > 0);
    await inspection.coreEditor.pin('constraint', 'Never push.', null);
    expect(inspection.state.items.map(({ text }) => text)).toEqual(['Never push.']);
  });

  it('an undo that another person made first is shown, and nothing of either person is lost', async () => {
    const store = memoryStore();
    const { program, next } = await serving(store, 6);
    const context = await program.conversations.conversation(identity);
    await context.exclude(context.entries.find(({ role }) => role === 'assistant')?.id ?? '');
    const open = async () => {
      const { options } = following();
      const { session, journal } = await followStored(store, named, options);
      return await Inspection.of(session, journal, assumedContextWindow);
    };
    const [ada, bob] = await Promise.all([open(), open()]);
    // Both see the compaction, and each pins before it has read what the other wrote.
    const outcomes = await Promise.allSettled([
      ada.undo(),
      bob.undo(),
      ada.coreEditor.pin('constraint', 'A', null),
      next(),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
    const refused = outcomes.find(({ status }) => status === 'rejected') as PromiseRejectedResult;
    expect(String(refused.reason)).toMatch(/OperationRefused/);
    const { current, journal } = await storedSession(store, named);
    const after = await Inspection.over(current, journal, assumedContextWindow);
    expect(after.state.compactions.map(({ active }) => active)).toEqual([false]);
    expect(after.state.items.map(({ text }) => text)).toEqual(['A']);
    expect(textsOf(after.session)).toHaveLength(14);
  });

  it('a followed conversation that is deleted is reported as gone once, and is neither read nor written again', async () => {
    const { store, state } = breakable(memoryStore());
    await serving(store);
    const { options, unread } = following();
    const { session, journal } = await followStored(store, named, options);
    const inspection = await Inspection.of(session, journal);
    const [{ id } = { id: '' }] = await store.list('acme');
    await store.delete({ scope: 'acme', id });
    await until(() => unread.length > 0);
    const reads = state.reads.length;
    await new Promise((resolve) => setTimeout(resolve, 10 * timing.longestPause));
    expect(state.reads).toHaveLength(reads);
    expect(unread).toEqual([{ reason: expect.anything(), isForGood: true }]);
    expect(String(unread[0]?.reason)).toBe('The conversation thread-7 was deleted from its store.');
    await expect(inspection.coreEditor.pin('goal', 'Ship.', null)).rejects.toThrow('was deleted from its store');
    expect(await store.list('acme')).toEqual([]);
  });

  it('following fails with the name for a conversation that does not exist, and with another key', async () => {
    const store = encryptedStore(memoryStore(), 'a1'.repeat(32));
    await serving(store);
    await expect(followStored(store, { ...named, name: 'nobody' }, following().options)).rejects.toThrow(
      'There is no conversation a-store#acme/nobody.',
    );
  });
});

describe('a conversation in a Postgres that ends and comes back', () => {
  let server: RestartableServer;
  beforeAll(async () => {
    server = await startPostgres();
  }, 120_000);
  afterAll(() => server?.stop());

  it('is followed again when the server is back, over new connections', async () => {
    const direct = await openers.postgres(server.address);
    const { next } = await serving(direct);
    const store = reconnectingStore(server.address, () => openers.postgres(server.address));
    onTestFinished(() => Promise.all([store.close(), direct.close()]).then(() => undefined));
    const { options, sessions, troubles } = following();
    await followStored(store, named, options);
    await server.halt();
    await until(() => troubles.length > 0);
    await server.resume();
    await until(() => troubles.at(-1) === null);
    await next();
    await until(() => sessions.some((session) => textsOf(session).length === 8));
  }, 60_000);
});
