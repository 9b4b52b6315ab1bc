import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { encryptedStore } from '../../../extension/conversations/stores/encrypted-store';
import { folderStore } from '../../../extension/conversations/stores/folder-store';
import { lossIn } from '../../../extension/conversations/stores/lost-record';
import { memoryStore } from '../../../extension/conversations/stores/memory-store';
import { openStore } from '../../../extension/conversations/stores/places/open-store';
import type { RecordStore } from '../../../extension/conversations/stores/record-store';
import { storeShelf } from '../../../extension/conversations/stores/store-shelf';
import { storedSession } from '../../../extension/conversations/stores/stored-session';
import { programWith, reply, textOfContext, user } from '../../library/many-agents';
import { temporaryFolders } from '../../sessions/temporary';

const newFolder = temporaryFolders();
const key = 'a1'.repeat(32);
const about = { begins: 'it begins', name: null, created: '2026-01-01T00:00:00.000Z' };
const one = { scope: 'acme', id: 'one' };
const cutOff = 'it was cut off at the end of its conversation';

let folder: string;
beforeEach(() => {
  folder = newFolder();
});

/** A new instance of the store each time, as in another process. */
const opened = () => encryptedStore(folderStore({ folder }), key);

async function files(): Promise<string[]> {
  const names = await readdir(folder, { recursive: true });
  return names.filter((name) => name.endsWith('.jsonl')).map((name) => join(folder, name));
}

async function fileOf(id: string): Promise<string> {
  const file = (await files()).find((path) => basename(path).startsWith(`${id}-`));
  if (file === undefined) throw new Error(`There is no file of ${id}.`);
  return file;
}

const isMark = (file: string) => basename(file).startsWith('mark-');

/** Cuts whole records off the end of a file. */
async function cut(file: string, records: number): Promise<void> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  await writeFile(file, [...lines.slice(0, -1 - records), ''].join('\n'));
}

/** The text of each record, or the reason why it is lost. */
async function shown(store: RecordStore, from = 0): Promise<readonly string[]> {
  return (await store.read(one, from)).map((record) => String(lossIn(record) ?? record));
}

describe('an encrypted store in a folder', () => {
  it('has a lost record for each that was cut off at the end of its file, in every process', async () => {
    const writer = opened();
    await writer.append(one, 0, ['first'], about);
    await writer.append(one, 1, ['second', 'third'], about);
    await cut(await fileOf('one'), 2);
    expect(await shown(opened())).toEqual(['first', cutOff, cutOff]);
    expect(await shown(opened(), 2)).toEqual([cutOff]);
    expect(await shown(writer, 2)).toEqual([cutOff]);
  });

  it('still reports the lost records after further writes, which get the places after them', async () => {
    await opened().append(one, 0, ['first'], about);
    await opened().append(one, 1, ['second', 'third'], about);
    await cut(await fileOf('one'), 1);
    const writer = opened();
    expect(await writer.append(one, 1, ['over it'], about)).toEqual({ kind: 'moved' });
    expect(await shown(writer)).toEqual(['first', cutOff, cutOff]);
    expect(await writer.append(one, 3, ['fourth'], about)).toEqual({ kind: 'appended' });
    expect(await writer.append(one, 4, ['fifth'], about)).toEqual({ kind: 'appended' });
    for (const store of [writer, opened()])
      expect(await shown(store)).toEqual(['first', cutOff, cutOff, 'fourth', 'fifth']);
    await cut(await fileOf('one'), 1);
    expect(await shown(opened())).toEqual(['first', cutOff, cutOff, 'fourth', cutOff]);
  });

  it('reports no loss of records that a killed writer had not acknowledged, wherever it stopped', async () => {
    await opened().append(one, 0, ['first'], about);
    const before = new Map(
      await Promise.all((await files()).map(async (file) => [file, await readFile(file)] as const)),
    );
    await opened().append(one, 1, ['second', 'third'], about);
    const file = await fileOf('one');
    const whole = await readFile(file);
    for (const [path, bytes] of before) await writeFile(path, bytes);
    for (let length = before.get(file)?.length ?? 0; length < whole.length; length += 7) {
      await writeFile(file, whole.subarray(0, length));
      expect(await shown(opened())).toEqual(['first']);
    }
    // The record is whole but not acknowledged, because its count is missing.
    await writeFile(file, whole);
    expect(await shown(opened())).toEqual(['first', 'second', 'third']);
    expect(await opened().append(one, 3, ['fourth'], about)).toEqual({ kind: 'appended' });
    await cut(file, 1);
    expect(await shown(opened())).toEqual(['first', 'second', 'third', cutOff]);
  });

  it('reports an acknowledged record that is torn as lost', async () => {
    await opened().append(one, 0, ['first', 'second'], about);
    const file = await fileOf('one');
    await truncate(file, (await readFile(file)).length - 5);
    // An append is written completely or not at all.
    expect(await shown(opened())).toEqual([]);
    await opened().append(one, 0, ['first', 'second'], about);
    await opened().append(one, 2, ['third'], about);
    await truncate(file, (await readFile(file)).length - 5);
    expect(await shown(opened())).toEqual(['first', 'second', cutOff]);
  });

  it('accepts a conversation without a count, and counts from its next record on', async () => {
    const below = memoryStore();
    await encryptedStore(below, key).append(one, 0, ['first', 'second'], about);
    for (const [at, record] of (await below.read(one, 0)).entries())
      await folderStore({ folder }).append(one, at, [record], about);
    await cut(await fileOf('one'), 1);
    expect(await shown(opened())).toEqual(['first']);
    expect(await opened().append(one, 1, ['another'], about)).toEqual({ kind: 'appended' });
    await cut(await fileOf('one'), 1);
    expect(await shown(opened())).toEqual(['first', cutOff]);
  });

  it('is not confused by processes that write at once', async () => {
    const writers = Array.from({ length: 6 }, opened);
    await Promise.all(
      writers.map(async (store, writer) => {
        for (let written = 0, length = 0; written < 12; ) {
          const outcome = await store.append(one, length, [`${writer} ${written}`], about);
          if (outcome.kind === 'appended') {
            written += 1;
            length += 1;
          } else {
            const added = await store.read(one, length);
            expect(added.map(lossIn).filter((loss) => loss !== null)).toEqual([]);
            length += added.length;
          }
        }
      }),
    );
    const texts = await shown(opened());
    expect(new Set(texts).size).toBe(6 * 12);
    await cut(await fileOf('one'), 3);
    for (const store of [...writers, opened()]) {
      expect((await shown(store)).slice(-3)).toEqual([cutOff, cutOff, cutOff]);
      expect(await shown(store)).toHaveLength(6 * 12);
    }
  });

  it('reports the loss if a process appends before it has read that records were cut off', async () => {
    const [first, second] = [opened(), opened()];
    await first.append(one, 0, ['first'], about);
    await second.read(one, 0);
    await first.append(one, 1, ['second'], about);
    await cut(await fileOf('one'), 1);
    expect(await second.append(one, 1, ['another', 'and more'], about)).toEqual({ kind: 'appended' });
    expect(await shown(opened())).toEqual([
      'first',
      'another',
      'and more',
      'records before it were cut off and replaced by others',
    ]);
  });

  it('begins a deleted or pruned conversation again without reporting a loss, in every process', async () => {
    const store = opened();
    for (const end of [
      () => store.delete(one),
      () => store.prune('2999-01-01T00:00:00.000Z'),
      () => folderStore({ folder }).delete(one),
    ]) {
      await store.append(one, 0, ['first', 'second'], about);
      await end();
      expect(await shown(store)).toEqual([]);
      await store.append(one, 0, ['anew'], about);
      expect(await shown(store)).toEqual(['anew']);
      expect(await shown(opened())).toEqual(['anew']);
      await opened().delete(one);
    }
  });

  it('deletes the count with its conversation, and does not report counts as pruned conversations', async () => {
    const store = opened();
    await store.append(one, 0, ['first'], about);
    await store.append({ ...one, id: 'two' }, 0, ['of two'], about);
    await store.delete({ ...one, id: 'two' });
    expect(await files()).toHaveLength(3);
    expect(await store.prune('2999-01-01T00:00:00.000Z')).toBe(1);
    expect((await files()).filter((file) => !isMark(file))).toEqual([]);
  });

  it('does not report conversations as pruned that others begin meanwhile', async () => {
    const inner = memoryStore();
    const others = encryptedStore(inner, key);
    const before = '2999-01-01T00:00:00.000Z';
    const begin = async (ids: readonly string[]) => {
      for (const id of ids) await others.append({ ...one, id }, 0, ['first'], about);
    };
    const store = encryptedStore(
      {
        ...inner,
        prune: async () => {
          const pruned = await inner.prune(before);
          await begin(['c', 'd', 'e']);
          return pruned;
        },
      },
      key,
    );
    await begin(['a', 'b']);
    expect(await store.prune(before)).toBe(2);
  });

  it('does not notice if all records were cut off, or the count with its records', async () => {
    await opened().append(one, 0, ['first'], about);
    await opened().append(one, 1, ['second'], about);
    for (const file of await files()) if (!isMark(file)) await cut(file, 1);
    expect(await shown(opened())).toEqual(['first']);
    await opened().append(one, 1, ['another'], about);
    await cut(await fileOf('one'), 2);
    expect(await shown(opened())).toEqual([]);
  });
});

it('a record whose count could not be written is stored, and is counted with the next one', async () => {
  const below = memoryStore();
  let isAway = false;
  const append: RecordStore['append'] = async (to, ...more) => {
    if (isAway && to.scope !== one.scope) throw new Error('away');
    return await below.append(to, ...more);
  };
  const store = encryptedStore({ ...below, append }, key);
  await store.append(one, 0, ['first'], about);
  isAway = true;
  await expect(store.append(one, 1, ['second'], about)).rejects.toThrow('away');
  isAway = false;
  expect(await shown(store)).toEqual(['first', 'second']);
  expect(await store.append(one, 2, ['third'], about)).toEqual({ kind: 'appended' });
  expect(await shown(encryptedStore(below, key))).toEqual(['first', 'second', 'third']);
});

it('a conversation reports which records were cut off, also in a process that has it open, and continues', async () => {
  const access = { tell: expect.unreachable, key };
  const identity = { conversation: 'thread', scope: 'acme' };
  const program = await programWith({ shelf: storeShelf(await openStore(folder, access)) });
  const history = [user('Go.')];
  await program.send(history, 'Answer 0.', identity);
  await (await program.conversations.conversation(identity)).pin('constraint', 'Never touch the schema.');
  for (let turn = 0; turn < 3; turn += 1) {
    history.push(reply(`Answer ${turn}.`), user(`And ${turn}?`));
    await program.send(history, `Answer ${turn + 1}.`, identity);
  }
  const file = (await files()).find((path) => basename(dirname(path)).startsWith('acme-')) ?? '';
  await cut(file, 2);

  history.push(reply('Answer 3.'), user('And now?'));
  expect(textOfContext(await program.send(history, 'Yes.', identity))).toContain('Never touch the schema.');
  const { current, journal } = await storedSession(await openStore(folder, access), {
    place: folder,
    scope: 'acme',
    name: 'thread',
  });
  expect(current.session.issues.map(({ message }) => String(message))).toEqual([
    `A record is damaged and was left out: ${cutOff}`,
    `A record is damaged and was left out: ${cutOff}`,
  ]);
  expect(journal.state.items.map(({ text }) => text)).toEqual(['Never touch the schema.']);
  expect(current.session.conversation.entries.length).toBeGreaterThan(8);
});
