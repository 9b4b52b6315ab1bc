import type { ConversationDescription, RecordKey, RecordStore } from './record-store';

/** One promise of a store. `run` rejects with `PromiseBroken` where the store does not keep it. */
export interface StoreCheck {
  readonly name: string;
  run(store: RecordStore, other: RecordStore): Promise<void>;
}

/** A store violates a promise of `RecordStore`; the message says which. */
export class PromiseBroken extends Error {
  override name = 'PromiseBroken';
}

/** A check as it is written here. It uses keys of its own, so that all checks can run in one store. */
type Check = (stores: { readonly store: RecordStore; readonly other: RecordStore }, keys: Keys) => Promise<void>;

interface Keys {
  /** A key that no other check uses. `scope`: one of two. */
  key(name: string, scope?: 'a' | 'b'): RecordKey;
  scope(name: 'a' | 'b'): string;
}

const description: ConversationDescription = { begins: 'beginning', name: null, created: '2026-01-02T03:04:05.678Z' };

const awkward = [
  '',
  ' ',
  'a\nb\r\n\u2028',
  '\\u0000 "quoted" \'x\' $1 %s',
  '{"type":"entry"}',
  'ж漢🙂',
  'long '.repeat(50_000),
];

/** Ends of names that a store could confuse: by case, normalization, separators or wildcards. */
const alike = [
  ...'./aA :_%=*[\\"\'\n,',
  ...['/..', '::', '%2E', '~2E', '__proto__', '\u00e9', 'e\u0301', '\u{1f642}'],
  ...[`${'long '.repeat(60)}1`, `${'long '.repeat(60)}2`],
];

const checks: Readonly<Record<string, Check>> = {
  'reads nothing where there is no conversation': async ({ store }, { key, scope }) => {
    same(await store.read(key('none'), 0), []);
    same(await store.read(key('none'), 7), []);
    same(await store.find(scope('a'), ['beginning']), []);
    same(await store.list(scope('a')), []);
    await store.delete(key('none'));
  },
  'reads records as they were written, in their order, from any place': async ({ store, other }, { key }) => {
    const one = key('order');
    await appended(store, one, 0, awkward.slice(0, 3));
    await appended(other, one, 3, awkward.slice(3));
    for (const from of [0, 1, 3, awkward.length - 1, awkward.length, awkward.length + 5])
      for (const each of [store, other]) same(await each.read(one, from), awkward.slice(from));
  },
  'appends only at the expected length': async ({ store, other }, { key }) => {
    const one = key('length');
    await moved(store, one, 1);
    await appended(store, one, 0, ['1', '2']);
    for (const length of [0, 1, 3]) await moved(other, one, length);
    same(await other.read(one, 0), ['1', '2']);
    await appended(other, one, 2, ['3']);
    await moved(store, one, 2);
    same(await store.read(one, 0), ['1', '2', '3']);
  },
  'accepts exactly one of several simultaneous appends': async ({ store, other }, { key }) => {
    const one = key('race');
    for (let length = 0; length < 8; length += 1) {
      const writers = Array.from({ length: 8 }, (_, writer) => (writer % 2 === 0 ? store : other));
      const outcomes = await Promise.all(
        writers.map((each, writer) => each.append(one, length, [`${length} by ${writer}`], description)),
      );
      same(outcomes.filter(({ kind }) => kind === 'appended').length, 1);
      const winner = outcomes.findIndex(({ kind }) => kind === 'appended');
      same(await store.read(one, length), [`${length} by ${winner}`]);
    }
  },
  'finds and lists conversations with their descriptions': async ({ store, other }, { key, scope }) => {
    const about = { begins: 'it begins', name: 'thread "1"', created: '2026-02-03T04:05:06.789Z' };
    await store.append(key('about'), 0, ['1', '2'], about);
    await appended(store, key('plain'), 0, ['1']);
    const expected = { id: key('about').id, ...about, length: 2 };
    const [found, ...more] = await other.find(scope('a'), ['it begins', 'nothing begins with this']);
    same(more, []);
    if (found === undefined) throw new PromiseBroken('`find` found nothing.');
    const { updated, ...rest } = found;
    same(rest, expected);
    if (Number.isNaN(Date.parse(updated))) throw new PromiseBroken(`\`updated\` is not a time: ${updated}`);
    same(
      (await other.list(scope('a'))).map(({ id, name }) => [id, name]).sort(),
      [
        [key('about').id, 'thread "1"'],
        [key('plain').id, null],
      ].sort(),
    );
  },
  'keeps scopes apart, also where ids and beginnings are equal': async ({ store, other }, { key, scope }) => {
    const [ofA, ofB] = [key('same', 'a'), { ...key('same', 'b'), id: key('same', 'a').id }];
    await appended(store, ofA, 0, ['of a']);
    same(await other.read(ofB, 0), []);
    same(await other.find(scope('b'), ['beginning']), []);
    same(await other.list(scope('b')), []);
    await appended(other, ofB, 0, ['of b']);
    same(await store.read(ofA, 0), ['of a']);
    same((await store.list(scope('b'))).length, 1);
    await store.delete(ofA);
    same(await other.read(ofB, 0), ['of b']);
  },
  'keeps scopes and ids apart that differ little': async ({ store, other }, { scope, key }) => {
    const scopes = alike.map((end) => `${scope('a')}${end}`);
    const ids = ['', ...alike.slice(0, 4)].map((end) => `${key('alike').id}${end}`);
    const all = [
      ...scopes.map((one) => ({ scope: one, id: ids[0] ?? '' })),
      ...ids.slice(1).map((id) => ({ scope: scope('b'), id })),
    ];
    for (const one of all) await appended(store, one, 0, [JSON.stringify(one)]);
    for (const one of all) {
      same(await other.read(one, 0), [JSON.stringify(one)]);
      const here = all.filter((each) => each.scope === one.scope).map(({ id }) => id);
      same((await other.list(one.scope)).map(({ id }) => id).sort(), here.sort());
      same((await other.find(one.scope, [description.begins])).map(({ id }) => id).sort(), here.sort());
    }
    const [first, ...others] = all;
    if (first) await store.delete(first);
    for (const one of others) same((await other.read(one, 0)).length, 1);
  },
  'leaves nothing of a deleted conversation, which can begin again': async ({ store, other }, { key, scope }) => {
    const one = key('deleted');
    await appended(store, one, 0, ['1', '2']);
    same(await other.read(one, 2), []);
    await store.delete(one);
    same(await other.read(one, 0), []);
    same(await other.find(scope('a'), ['beginning']), []);
    same(await other.list(scope('a')), []);
    await moved(other, one, 2);
    await appended(other, one, 0, ['again']);
    same(await store.read(one, 0), ['again']);
  },
  'prunes what was not written to since then, and nothing else': async ({ store, other }, { key }) => {
    const one = key('pruned');
    await appended(store, one, 0, ['1']);
    same(await other.prune('2001-01-01T00:00:00.000Z'), 0);
    same(await other.read(one, 0), ['1']);
    const deleted = await other.prune('2999-01-01T00:00:00.000Z');
    if (deleted < 1) throw new PromiseBroken(`\`prune\` says that it deleted ${deleted} conversations.`);
    same(await store.read(one, 0), []);
  },
  'prunes by the newest record, and keeps what was written to at the very time': async ({ store, other }, keys) => {
    const [old, used, fresh] = ['old', 'used', 'fresh'].map((name) => keys.key(name, name === 'old' ? 'b' : 'a'));
    if (!old || !used || !fresh) return;
    for (const one of [old, used]) await appended(store, one, 0, ['1']);
    const oldest = (await store.list(keys.scope('b')))[0]?.updated ?? '';
    let time = oldest;
    // Times may be as coarse as milliseconds.
    for (let length = 1; time <= oldest; length += 1) {
      await appended(other, used, length, ['2']);
      time = (await store.list(keys.scope('a'))).find(({ id }) => id === used.id)?.updated ?? '';
    }
    await appended(store, fresh, 0, ['1']);
    await other.prune(time);
    same(await store.read(old, 0), []);
    same(await store.list(keys.scope('b')), []);
    same((await store.read(used, 0)).slice(0, 2), ['1', '2']);
    same(await other.read(fresh, 0), ['1']);
  },
};

/**
 * The promises of `RecordStore`, as checks for a store of your own. Run each with two stores over the same data, as two
 * processes would have them. They run one after the other, in a store without conversations, and `prune` empties it.
 *
 * @example
 * for (const { name, run } of storeChecks) it(name, () => run(myStore(), myStore()));
 */
export const storeChecks: readonly StoreCheck[] = Object.entries(checks).map(([name, check], index) => ({
  name,
  run: async (store, other) => {
    const run = `${index}-${globalThis.crypto.randomUUID()}`;
    const scope = (which: 'a' | 'b') => `check-${run}-${which}`;
    await check({ store, other }, { scope, key: (id, which = 'a') => ({ scope: scope(which), id: `${run}-${id}` }) });
  },
}));

async function appended(store: RecordStore, key: RecordKey, length: number, records: readonly string[]): Promise<void> {
  const { kind } = await store.append(key, length, records, description);
  if (kind !== 'appended') throw new PromiseBroken(`An append at length ${length}, which was right, was refused.`);
}

async function moved(store: RecordStore, key: RecordKey, length: number): Promise<void> {
  const { kind } = await store.append(key, length, ['too late'], description);
  if (kind !== 'moved') throw new PromiseBroken(`An append at length ${length}, which was wrong, was accepted.`);
}

function same(actual: unknown, expected: unknown): void {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (sorted(actual) !== sorted(expected)) throw new PromiseBroken(`Expected ${cut(b)}, and got ${cut(a)}.`);
}

/** Properties in any order. */
function sorted(value: unknown): string {
  const inOrder = (_: string, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner;
  return JSON.stringify(value, inOrder);
}

function cut(text: string): string {
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
