import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder that all test files of one run share; it is removed at the end. */
    readonly runFolder: string;
  }
}

/** What tests put into the folder for temporary files goes with the run's own: nothing stays behind. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const before = tmpdir();
  const folder = await mkdtemp(join(before, 'strata-tests-'));
  // A database server refuses to run as root, and has its data in here under another user.
  await chmod(folder, 0o711);
  project.provide('runFolder', folder);
  if (socketsFitBelow) process.env.TMPDIR = folder;
  return async () => {
    if (socketsFitBelow) process.env.TMPDIR = before;
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}

/** The folder for temporary files of macOS leaves a socket's path only a few characters. */
const socketsFitBelow = process.platform === 'linux';
