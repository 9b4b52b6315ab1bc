import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programOnPath } from '../../../extension/models/command/program-on-path';

let first: string;
let second: string;

beforeAll(async () => {
  [first, second] = [await mkdtemp(join(tmpdir(), 'path-')), await mkdtemp(join(tmpdir(), 'path-'))];
  await writeFile(join(first, 'notes'), '');
  for (const file of [join(first, 'one'), join(second, 'one'), join(second, 'two'), join(second, 'three.cmd')]) {
    await writeFile(file, '');
    await chmod(file, 0o755);
  }
});

afterAll(() => Promise.all([first, second].map((folder) => rm(folder, { recursive: true }))));

describe('a program on the search path', () => {
  const find = (names: readonly string[], platform: NodeJS.Platform = 'linux', PATHEXT?: string) =>
    programOnPath(names, { PATH: ['', first, second].join(delimiter), ...(PATHEXT && { PATHEXT }) }, platform);

  it('is the one in the first folder that has any of the names', async () => {
    expect(await find(['one'])).toBe(join(first, 'one'));
    expect(await find(['two', 'one'])).toBe(join(first, 'one'));
    expect(await find(['gone', 'two'])).toBe(join(second, 'two'));
  });

  it.skipIf(process.platform === 'win32')('is one that can be run', async () => {
    expect(await find(['notes'])).toBeNull();
  });

  it('is not there without a path', async () => {
    expect(await programOnPath(['one'], {})).toBeNull();
  });

  it('is found with each of the file endings of programs on Windows', async () => {
    expect(await find(['three'], 'win32', '.exe;.cmd')).toBe(join(second, 'three.cmd'));
    expect(await find(['three'], 'win32', '.exe')).toBeNull();
    expect(await find(['three'], 'linux')).toBeNull();
  });
});
