import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runStrata } from '../../extension/cli/program';
import { fileStores } from '../../extension/conversations/shelves/file-stores';
import { folderStore } from '../../extension/conversations/stores/folder-store';
import { headerRecord } from '../../extension/inspection/journal-file';

let folder: string;
let printed: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-kept-'));
  printed = '';
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => {
      printed += text;
      return true;
    });
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

/** Stores a conversation as a program does, with a pin in its journal. It was last written to this many days ago. */
async function keep(id: string, days: number, text = 'Fix the loader.'): Promise<void> {
  const { path, conversation, journal } = await fileStores({ folder, id });
  const time = '2026-01-01T00:00:00.000Z';
  await conversation.append([{ id: `${id}-1`, role: 'user', parts: [{ type: 'text', text }], timestamp: time }]);
  const session = { agent: 'strata', id, file: path };
  await journal.append(() => [headerRecord(session, time)]);
  const written = new Date(Date.now() - days * 86_400_000);
  for (const file of [path, journal.path]) await utimes(file, written, written);
}

async function left(): Promise<string[]> {
  const names = await Promise.all(['conversations', 'journals'].map((name) => readdir(join(folder, name))));
  return names.flat().filter((name) => !name.endsWith('.lock'));
}

const conversations = (...args: string[]) => runStrata(['conversations', ...args, '--folder', folder]);

describe('strata conversations', () => {
  it('lists what is kept, with its size', async () => {
    await keep('old', 40);
    await keep('new', 0);
    expect(await conversations()).toBe(0);
    expect(printed).toMatch(/^2 conversations, [\d.]+ kB in /);
    expect(printed).toMatch(/kB {2}old\n.*kB {2}new\n/);
  });

  it('prunes the old ones with their journals, and nothing else', async () => {
    await keep('old', 40);
    await keep('new', 0);
    await writeFile(join(folder, 'conversations/notes.jsonl'), '{"type":"session"}\n');
    expect(await conversations('prune', '--older-than', '30d', '--dry-run')).toBe(0);
    expect(printed).toContain('Would delete 1 conversation,');
    expect(await left()).toHaveLength(5);
    expect(await conversations('prune', '--older-than', '30d')).toBe(0);
    expect(printed).toContain('Deleted 1 conversation,');
    expect(await left()).toEqual(['new.jsonl', 'notes.jsonl', expect.stringMatching(/^strata-new-/)]);
  });

  it('prunes only if all conditions hold, and never what is in use', async () => {
    await keep('large', 2, 'x'.repeat(30_000));
    await keep('small', 2);
    await keep('in-use', 0, 'x'.repeat(30_000));
    expect(await conversations('prune', '--larger-than', '20kB')).toBe(0);
    expect((await left()).filter((name) => !name.startsWith('strata-'))).toEqual(['in-use.jsonl', 'small.jsonl']);
    expect(await conversations('prune', '--larger-than', '0.1kB', '--older-than', '1w')).toBe(0);
    expect(printed).toContain('Deleted 0 conversations');
  });

  it.each([
    [[], 'prune needs --older-than, --larger-than, or both'],
    [['--older-than', 'long'], 'It must be a number of hours, days or weeks'],
    [['--larger-than', '20 elephants'], 'It must be a size'],
  ])('says what it needs instead of %j', async (args, message) => {
    await keep('old', 40);
    expect(await conversations('prune', ...args)).toBe(2);
    expect(printed).toContain(message);
    expect(await left()).toHaveLength(2);
  });

  it('prunes a store by time, for all of its tenants', async () => {
    const store = folderStore({ folder: join(folder, 'store') });
    const about = { begins: '', name: null, created: '2026-01-01T00:00:00.000Z' };
    for (const scope of ['acme', 'globex'])
      for (const id of ['old', 'new']) await store.append({ scope, id }, 0, ['record'], about);
    const written = new Date(Date.now() - 31 * 86_400_000);
    for (const scope of await readdir(join(folder, 'store')))
      for (const name of await readdir(join(folder, 'store', scope)))
        if (name.startsWith('old')) await utimes(join(folder, 'store', scope, name), written, written);
    const prune = (...args: string[]) => runStrata(['--in', join(folder, 'store'), 'conversations', 'prune', ...args]);
    for (const [...more] of [[], ['--older-than', '30d', '--dry-run'], ['--older-than', '30d', '--larger-than', '1kB']])
      expect(await prune(...more)).toBe(2);
    expect(await prune('--older-than', '30d', '--tenant', 'acme')).toBe(2);
    expect(printed).toContain('prune --in needs --older-than alone: it is for all conversations of the store');
    expect(await prune('--older-than', '30d')).toBe(0);
    expect(printed).toContain('Deleted 2 conversations.');
    for (const scope of ['acme', 'globex']) expect((await store.list(scope)).map(({ id }) => id)).toEqual(['new']);
  });

  it('says so if nothing is kept', async () => {
    expect(await conversations()).toBe(0);
    expect(printed).toContain('0 conversations, 0.0 kB in ');
  });
});
