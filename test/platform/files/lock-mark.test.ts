import { lstat, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { markAge, markMade, markText } from '../../../extension/platform/files/lock-mark';

/** Tests of the file or link that represents a lock on disk, on each system. */

let folder = '';
let path = '';

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'strata-lock-'));
  path = join(folder, 'session.jsonl.lock');
});

afterEach(async () => {
  vi.restoreAllMocks();
  await rm(folder, { recursive: true, force: true });
});

describe.each(['win32', 'darwin', 'linux'] as const)('the mark of a lock on %s', (system) => {
  beforeEach(() => {
    vi.spyOn(process, 'platform', 'get').mockReturnValue(system);
  });

  it('is made by one of several callers, and names it', async () => {
    const made = await Promise.all(['first', 'second', 'third'].map((owner) => markMade(path, owner)));
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await markText(path)).toBe(['first', 'second', 'third'][made.indexOf(true)]);
    expect(await markMade(path, 'later')).toBe(false);
  });

  it('is a file if links need special rights, otherwise a link that exists with its text or not at all', async () => {
    await markMade(path, 'owner');
    expect((await lstat(path)).isSymbolicLink()).toBe(system !== 'win32');
  });

  it('is gone once it is removed', async () => {
    await markMade(path, 'owner');
    await rm(path);
    expect(await markText(path)).toBeNull();
    expect(await markAge(path)).toBe(0);
  });
});
