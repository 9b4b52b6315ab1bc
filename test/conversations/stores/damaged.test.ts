import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { encryptedStore } from '../../../extension/conversations/stores/encrypted-store';
import { folderStore } from '../../../extension/conversations/stores/folder-store';
import { lossIn } from '../../../extension/conversations/stores/lost-record';
import { openStore } from '../../../extension/conversations/stores/places/open-store';
import type { RecordStore } from '../../../extension/conversations/stores/record-store';
import { storeShelf } from '../../../extension/conversations/stores/store-shelf';
import { storedSession } from '../../../extension/conversations/stores/stored-session';
import { programWith, reply, textOfContext, user } from '../../library/many-agents';
import { temporaryFolders } from '../../sessions/temporary';

const newFolder = temporaryFolders();
const about = (name: string) => ({ begins: `begins ${name}`, name, created: '2026-01-01T00:00:00.000Z' });
const one = { scope: 'acme', id: 'one' };
const two = { scope: 'acme', id: 'two' };

let folder: string;
/** A new instance of the store each time, as in another process. */
const opened = () => folderStore({ folder });

beforeEach(() => {
  folder = newFolder();
});

async function fileOf(id: string): Promise<string> {
  const names = await readdir(folder, { recursive: true });
  const name = names.find((each) => each.includes(`${id}-`) && each.endsWith('.jsonl'));
  if (name === undefined) throw new Error(`There is no file of ${id}.`);
  return join(folder, name);
}

async function change(file: string, edit: (bytes: Buffer) => void): Promise<void> {
  const bytes = await readFile(file);
  edit(bytes);
  await writeFile(file, bytes);
}

/** The text of each record; null if it is lost. */
async function readFrom(store: RecordStore, from = 0): Promise<readonly (string | null)[]> {
  return (await store.read(one, from)).map((record) => (lossIn(record) === null ? record : null));
}

describe('a store in a folder', () => {
  it('loses one record at most to one changed bit, and never the list or another conversation', async () => {
    const texts = ['first', 'second', 'third', 'fourth'];
    await opened().append(one, 0, texts.slice(0, 2), about('one'));
    await opened().append(one, 2, texts.slice(2), about('one'));
    await opened().append(two, 0, ['of two'], about('two'));
    const file = await fileOf('one');
    const whole = await readFile(file);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(7), async (at, bit) => {
        const bytes = Buffer.from(whole);
        bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at);
        await writeFile(file, bytes);
        const store = opened();
        const read = await readFrom(store);
        const lost = texts.filter((text, place) => read[place] !== text);
        expect(lost.length).toBeLessThanOrEqual(whole[at] === 0x0a ? 2 : 1);
        expect((await store.list('acme')).map(({ id }) => id).sort()).toEqual(['one', 'two']);
        expect((await store.find('acme', ['begins two'])).map(({ id }) => id)).toEqual(['two']);
        expect(await store.append(one, read.length, ['fifth'], about('one'))).toEqual({ kind: 'appended' });
        expect((await readFrom(opened())).at(-1)).toBe('fifth');
        expect((await readFrom(opened())).filter((text) => text !== null)).toEqual(
          expect.arrayContaining(texts.filter((text) => !lost.includes(text))),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('names the file and the line of a damaged record, and keeps the places of the others', async () => {
    await opened().append(one, 0, ['first', 'second', 'third'], about('one'));
    const file = await fileOf('one');
    await change(file, (bytes) => void bytes.write('SECOND', bytes.indexOf('second')));
    const records = await opened().read(one, 0);
    expect(records.map((record) => String(lossIn(record) ?? record))).toEqual([
      'first',
      `its checksum does not match (${file}:3)`,
      'third',
    ]);
    expect(await readFrom(opened(), 2)).toEqual(['third']);
  });

  it('finds a conversation by its name again after its header was damaged and it was written to', async () => {
    await opened().append(one, 0, ['first'], about('one'));
    await change(await fileOf('one'), (bytes) => void bytes.write('X', 60));
    expect(await opened().find('acme', ['begins one'])).toEqual([]);
    await opened().append(one, 1, ['second'], about('one'));
    expect((await opened().find('acme', ['begins one'])).map(({ name, length }) => [name, length])).toEqual([
      ['one', 2],
    ]);
    expect(await readFrom(opened())).toEqual(['first', 'second']);
  });

  it('drops zero bytes at the end of a file, and is not stopped by a file of zero bytes', async () => {
    await opened().append(one, 0, ['first'], about('one'));
    await opened().append(two, 0, ['of two'], about('two'));
    const [file, other] = [await fileOf('one'), await fileOf('two')];
    await truncate(file, (await readFile(file)).length + 4096);
    await writeFile(other, Buffer.alloc(4096));
    expect((await opened().list('acme')).map(({ id }) => id)).toEqual(['one']);
    expect(await opened().append(one, 1, ['second'], about('one'))).toEqual({ kind: 'appended' });
    expect(await opened().append(two, 0, ['anew'], about('two'))).toEqual({ kind: 'appended' });
    expect(await readFrom(opened())).toEqual(['first', 'second']);
    expect((await readFile(file)).includes(0)).toBe(false);
    expect(await opened().read(two, 0)).toEqual(['anew']);
  });

  it('has all records of an append or none, wherever a killed writer stopped', async () => {
    await opened().append(one, 0, ['first'], about('one'));
    const file = await fileOf('one');
    const before = (await readFile(file)).length;
    await opened().append(one, 1, ['second', 'third'], about('one'));
    const whole = await readFile(file);
    for (let length = before; length < whole.length; length += 7) {
      await writeFile(file, whole.subarray(0, length));
      expect(await readFrom(opened())).toEqual(['first']);
    }
    expect(await opened().append(one, 1, ['another'], about('one'))).toEqual({ kind: 'appended' });
    expect(await readFrom(opened())).toEqual(['first', 'another']);
  });
});

describe('a conversation in a store', () => {
  it('keeps its pin and all messages but the damaged one, and names the damaged record', async () => {
    const history = [user('Go.')];
    const program = await programWith({ shelf: storeShelf(await openStore(folder, { tell: expect.unreachable })) });
    await program.send(history, 'Answer 0.', { conversation: 'thread', scope: 'acme' });
    const context = await program.conversations.conversation({ conversation: 'thread', scope: 'acme' });
    await context.pin('constraint', 'Never touch the schema.');
    for (let turn = 0; turn < 3; turn += 1) {
      history.push(reply(`Answer ${turn}.`), user(`And ${turn}?`));
      await program.send(history, `Answer ${turn + 1}.`, { conversation: 'thread', scope: 'acme' });
    }
    const files = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.jsonl'));
    for (const name of files)
      await change(join(folder, name), (bytes) => {
        const at = bytes.indexOf('And 1?');
        if (at !== -1) bytes.write('Any', at);
      });

    const store = await openStore(folder, { tell: expect.unreachable });
    const { current, journal } = await storedSession(store, { place: folder, scope: 'acme', name: 'thread' });
    const said = current.session.issues.map(({ message }) => String(message));
    expect(said[0]).toMatch(/^A record is damaged and was left out: its checksum does not match \(.*\.jsonl:\d+\)$/);
    expect(journal.state.items.map(({ text }) => text)).toEqual(['Never touch the schema.']);

    const next = await programWith({ shelf: storeShelf(store) });
    history.push(reply('Answer 3.'), user('And now?'));
    const sent = await next.send(history, 'Yes.', { conversation: 'thread', scope: 'acme' });
    expect(textOfContext(sent)).toContain('Never touch the schema.');
    expect(textOfContext(sent)).toContain('And 1?');
  });
});

describe('an encrypted store', () => {
  const key = 'a1'.repeat(32);

  it('loses the damaged record, and the name of a conversation whose description is damaged, and no more', async () => {
    const store = encryptedStore(opened(), key);
    await store.append(one, 0, ['first', 'second'], about('one'));
    await store.append(two, 0, ['of two'], about('two'));
    await change(await fileOf('one'), (bytes) => void bytes.write('!', bytes.lastIndexOf('"text"') + 30));
    const again = encryptedStore(opened(), key);
    expect(await readFrom(again)).toEqual(['first', null]);
    await change(await fileOf('one'), (bytes) => void bytes.write('!', bytes.indexOf('"name"') + 30));
    const names = (await encryptedStore(opened(), key).list('acme')).map(({ id, name }) => `${id} ${name}`);
    expect(names.sort()).toEqual(['one null', 'two two']);
  });

  it('is opened by its key if the record that shows the key is damaged', async () => {
    await encryptedStore(opened(), key).append(one, 0, ['first'], about('one'));
    await change(await fileOf('mark'), (bytes) => void bytes.write('!', bytes.indexOf('"text"') + 30));
    expect(await readFrom(encryptedStore(opened(), key))).toEqual(['first']);
    await expect(encryptedStore(opened(), 'b2'.repeat(32)).list('acme')).rejects.toThrow('another key');
  });
});
