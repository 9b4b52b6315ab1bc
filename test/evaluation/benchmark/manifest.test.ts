import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readManifest } from '../../../extension/evaluation/benchmark/manifest';
import { temporaryFolders } from '../../sessions/temporary';

const folder = temporaryFolders();
const source = {
  name: 'owner/name',
  address: 'https://example.com/owner/name',
  commits: ['a'.repeat(40)],
  sessions: 'full.jsonl',
};

async function read(content: unknown) {
  const path = join(folder(), 'manifest.json');
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return await readManifest(path);
}

describe('the manifest of a benchmark', () => {
  it('of the study names whole commits of public repositories', async () => {
    const sources = await readManifest(join(import.meta.dirname, '../../../docs/study/benchmark.json'));
    expect(sources.length).toBeGreaterThan(10);
    expect(sources.every(({ address }) => address.startsWith('https://github.com/'))).toBe(true);
    expect(sources.map(({ name }) => name)).not.toContain('entireio/cli');
  });

  it.each([
    [
      'a branch for a commit',
      { repositories: [{ ...source, commits: ['main'] }] },
      /repositories\.0\.commits\.0: must be a whole/,
    ],
    [
      'a command for an address',
      { repositories: [{ ...source, address: 'ext::sh -c id' }] },
      /repositories\.0\.address/,
    ],
    ['a folder for a name', { repositories: [{ ...source, name: '../..' }] }, /repositories\.0\.name: must be OWNER/],
    ['a repository twice', { repositories: [source, source] }, /owner\/name is in it twice/],
    ['no commit', { repositories: [{ ...source, commits: [] }] }, /repositories\.0\.commits: must name a commit/],
    ['half a folder', { repositories: [{ ...source, folder: 'a/b' }] }, /repositories\.0\.folder: must end with/],
    ['none', { repositories: [] }, /repositories/],
  ])('with %s is refused, naming the place', async (_, content, message) => {
    await expect(read({ version: 1, ...content })).rejects.toThrow(message);
  });

  it('that is not JSON is refused with its file', async () => {
    await expect(read('{')).rejects.toThrow(/manifest\.json: this is not a manifest of a benchmark: /);
  });
});
