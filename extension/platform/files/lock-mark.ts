import { readlinkSync, symlinkSync, unlinkSync } from 'node:fs';
import { lstat, readFile, readlink, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { orIfMissing, systemErrorCode } from './with-file';

/**
 * A lock on disk: a dangling symbolic link whose target is the lock's text. It exists with all of its text or not at all, even if its
 * process is killed while it is created. On disks without symbolic links, the lock is a file.
 */

/** False if there is one already. */
export async function markMade(path: string, text: string): Promise<boolean> {
  try {
    await (process.platform === 'win32' ? fileMade(path, text) : linkMade(path, text));
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** The same on this thread. False also if it cannot be made; `markMade` says why. */
export function markMadeHere(path: string, text: string): boolean {
  if (process.platform === 'win32') return false;
  try {
    symlinkSync(text, path);
    return true;
  } catch {
    return false;
  }
}

const withoutLinks: ReadonlySet<string | null> = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EINVAL']);

async function linkMade(path: string, text: string): Promise<void> {
  try {
    await symlink(text, path);
  } catch (error) {
    if (!withoutLinks.has(systemErrorCode(error))) throw error;
    await fileMade(path, text);
  }
}

/** Creates the file with its text. On a full disk, removes the file that could not be written: its owner would be unknown. */
async function fileMade(path: string, text: string): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' });
  } catch (error) {
    if (systemErrorCode(error) === 'ENOSPC') await rm(path, { force: true });
    throw error;
  }
}

/** Does nothing if there is none. */
export function markRemoved(path: string): Promise<void> {
  return orIfMissing(unlink(path), undefined);
}

/** The same on this thread. A lock that cannot be removed counts as abandoned after some time. */
export function markRemovedHere(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    return;
  }
}

/** Null if there is none. */
export function markText(path: string): Promise<string | null> {
  return orIfMissing(linkText(path), null);
}

/** The same on this thread. Null also if it cannot be read, or if it is a file. */
export function markTextHere(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

async function linkText(path: string): Promise<string> {
  try {
    return await readlink(path);
  } catch (error) {
    // The error codes for a file that is not a link: of Linux and macOS, and of Windows.
    if (systemErrorCode(error) !== 'EINVAL' && systemErrorCode(error) !== 'UNKNOWN') throw error;
    return await readFile(path, 'utf8');
  }
}

/** Milliseconds; 0 if there is none. */
export async function markAge(path: string): Promise<number> {
  const found = await orIfMissing(lstat(path), null);
  return found === null ? 0 : Date.now() - found.mtimeMs;
}
