import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder that all test files of one run share. It is removed at the end. */
    readonly runFolder: string;
  }
}

/** The folder for temporary files is inside the run's own folder, so that everything is removed at the end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const before = tmpdir();
  const folder = await mkdtemp(join(before, 'strata-tests-'));
  // A database server refuses to run as root, so another user owns its data in this folder.
  await chmod(folder, 0o711);
  project.provide('runFolder', folder);
  if (socketsFitBelow) process.env.TMPDIR = folder;
  // Programs that tests start share what Node.js has compiled.
  process.env.NODE_COMPILE_CACHE = join(folder, 'compiled');
  return async () => {
    delete process.env.NODE_COMPILE_CACHE;
    if (socketsFitBelow) process.env.TMPDIR = before;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** In macOS's folder for temporary files, a socket's path has room for only a few more characters. */
const socketsFitBelow = process.platform === 'linux';
