import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../../extension/conversations/stores/places/open-store';
import { temporaryFolders } from '../../sessions/temporary';

const newFolder = temporaryFolders();
const key = { scope: 'acme', id: 'one' };
const description = { begins: 'b', name: 'thread-1', created: '2026-01-01T00:00:00.000Z' };

/** Access rights by path, including those of everything inside folders. */
async function rightsIn(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = (await readdir(folder, { recursive: true })).toSorted();
  const rights = names.map(async (name) => [name, ((await stat(join(folder, name))).mode & 0o777).toString(8)]);
  return Object.fromEntries(await Promise.all(rights));
}

describe.skipIf(process.platform === 'win32')('a new store can be read by its owner alone', () => {
  it('with the files that SQLite adds', async () => {
    const folder = newFolder();
    const store = await openStore(`sqlite:${join(folder, 'strata.db')}`, { tell: expect.unreachable });
    await store.append(key, 0, ['a record'], description);

    expect(await rightsIn(folder)).toEqual({ 'strata.db': '600', 'strata.db-shm': '600', 'strata.db-wal': '600' });
    await store.close();
  });

  it('in a folder', async () => {
    const folder = join(newFolder(), 'store');
    const store = await openStore(folder, { tell: expect.unreachable });
    await store.append(key, 0, ['a record'], description);

    const rights = Object.entries(await rightsIn(folder));
    expect(rights.filter(([name]) => name.includes('jsonl')).map(([, right]) => right)).toEqual(['600', '600']);
    expect(rights.filter(([name]) => !name.includes('jsonl')).every(([, right]) => right === '700')).toBe(true);
    await store.close();
  });

  it('in PGlite', async () => {
    const folder = join(newFolder(), 'store');
    const store = await openStore(`pglite:${folder}`, { tell: expect.unreachable });

    expect((await stat(folder)).mode & 0o777).toBe(0o700);
    await store.close();
  });
});
