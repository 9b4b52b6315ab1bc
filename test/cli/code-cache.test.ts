import { execFile } from 'node:child_process';
import { chmod, chown, lstat, mkdir, readdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { privateCodeFolder } from '../../extension/cli/code-cache';
import { buildTimeoutMs, built } from '../builders/built';
import { temporaryFolders } from '../sessions/temporary';

/** Tests of where the built command keeps compiled code. Whoever can write there decides what its next run does. */

const newFolder = temporaryFolders();
let program: string;
let home: string;
let temporary: string;
/** Below `home`, which is the place unless another cache folder is named. */
let code: string;

beforeAll(async () => {
  program = join(await built('cli'), 'cli/strata.js');
}, buildTimeoutMs);

beforeEach(() => {
  [home, temporary] = [newFolder(), newFolder()];
  code = join(home, '.cache/strata/code');
});

async function version(variables: NodeJS.ProcessEnv = {}): Promise<string> {
  const { NODE_COMPILE_CACHE: _own, XDG_CACHE_HOME: _cache, ...others } = process.env;
  const env = { ...others, HOME: home, USERPROFILE: home, TMPDIR: temporary, TEMP: temporary, ...variables };
  return (await promisify(execFile)(process.execPath, [program, '--version'], { env })).stdout;
}

async function filesIn(folder: string): Promise<readonly string[]> {
  return await readdir(folder, { recursive: true });
}

it('keeps compiled code in a folder of this person alone, and nothing in the temporary folder', async () => {
  expect(await version()).toMatch(/^\d+\.\d+/);

  expect((await stat(code)).mode & 0o777).toBe(0o700);
  expect((await filesIn(code)).length).toBeGreaterThan(1);
  expect(await filesIn(temporary)).toEqual([]);
});

it('uses no code from a folder that another user put into the temporary folder', async () => {
  await mkdir(join(temporary, 'node-compile-cache'), { mode: 0o777 });

  await version();

  expect(await filesIn(join(temporary, 'node-compile-cache'))).toEqual([]);
});

describe.skipIf(process.platform === 'win32')('keeps no compiled code', () => {
  it('if others can write to the folder', async () => {
    await mkdir(code, { recursive: true });
    await chmod(code, 0o777);

    expect(await version()).toMatch(/^\d/);

    expect(await filesIn(code)).toEqual([]);
  });

  it('if the folder is a link', async () => {
    const elsewhere = newFolder();
    await mkdir(join(home, '.cache/strata'), { recursive: true });
    await symlink(elsewhere, code);

    await version();

    expect(await filesIn(elsewhere)).toEqual([]);
    expect((await lstat(code)).isSymbolicLink()).toBe(true);
  });

  it('if others can put another folder in its place', async () => {
    await chmod(home, 0o777);

    expect(privateCodeFolder(code)).toBeNull();
    expect(await filesIn(home)).toEqual([]);
  });

  it('if the home cannot be written to', () => {
    expect(privateCodeFolder('/dev/null/.cache/strata/code')).toBeNull();
  });

  it.skipIf(process.getuid?.() !== 0)('if another user owns the folder, or one above it', async () => {
    const another = 12_345;
    await mkdir(code, { recursive: true, mode: 0o700 });
    await chown(code, another, another);
    expect(privateCodeFolder(code)).toBeNull();

    await chown(code, 0, 0);
    expect(privateCodeFolder(code)).toBe(code);

    await chown(home, another, another);
    expect(privateCodeFolder(code)).toBeNull();
  });
});

it('takes a folder below a temporary folder in which users cannot rename what others own', async () => {
  await chmod(home, 0o1777);

  expect(privateCodeFolder(code)).toBe(code);
});
