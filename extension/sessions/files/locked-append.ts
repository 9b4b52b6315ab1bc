import { randomUUID } from 'node:crypto';
import { type FileHandle, open, readFile, rm, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { systemErrorCode } from './with-file';

/** Another process holds the lock, or it cannot be taken; the message names the file. */
export class LockNotTaken extends Error {
  override name = 'LockNotTaken';
}

/** Conversations are nobody else's business. */
export const privateFile = 0o600;
export const privateFolder = 0o700;

/** A process that was killed leaves its lock behind; nobody holds one this long. */
const staleAfterMs = 10_000;
const retryMs = 25;
const giveUpAfterMs = 15_000;

/**
 * Does its work while no other process of Strata does the same with this lock. `stillOurs` tells whether the lock was
 * held so long that it passed for stale.
 */
export async function withLock<T>(path: string, work: (stillOurs: () => Promise<boolean>) => Promise<T>): Promise<T> {
  const token = randomUUID();
  await takeLock(path, token);
  try {
    return await work(async () => (await readIfThere(path)) === token);
  } finally {
    await releaseLock(path, token);
  }
}

/** Part of what was to be appended is in the file, and could not be cut off again. */
export class NotTakenBack extends Error {
  override name = 'NotTakenBack';
}

/**
 * Appends all of the bytes or none of them: what was written of them when it failed is cut off again. `isDurable`: they
 * must be on the disk, not only on their way there.
 */
export async function appendOrTakeBack(
  file: FileHandle,
  position: number,
  bytes: Buffer,
  isDurable = false,
): Promise<void> {
  try {
    await file.writeFile(bytes);
    if (isDurable) await file.datasync();
  } catch (error) {
    await takeBack(file, position, bytes.length, error);
    throw error;
  }
}

async function takeBack(file: FileHandle, position: number, length: number, cause: unknown): Promise<void> {
  try {
    // What somebody else has appended behind it is not ours to cut off.
    if ((await file.stat()).size > position + length) throw new Error('somebody else has written behind it');
    await file.truncate(position);
  } catch (error) {
    const why = `${reasonOf(cause)}; what was written could not be taken back: ${reasonOf(error)}`;
    throw new NotTakenBack(why, { cause });
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A lock that was held for so long that it passed for stale may be somebody else's by now. */
async function releaseLock(path: string, token: string): Promise<void> {
  if ((await readIfThere(path)) === token) await rm(path, { force: true });
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

async function takeLock(path: string, token: string): Promise<void> {
  const deadline = Date.now() + giveUpAfterMs;
  while (!(await tryLock(path, token))) {
    if (Date.now() > deadline) throw new LockNotTaken(`Another process keeps it locked: ${path}`);
    await removeIfStale(path);
    await delay(retryMs);
  }
}

async function tryLock(path: string, token: string): Promise<boolean> {
  try {
    const lock = await open(path, 'wx');
    await tokenWritten(lock, path, token);
    return true;
  } catch (error) {
    if (systemErrorCode(error) === 'EEXIST') return false;
    throw new LockNotTaken(`It cannot be locked for writing: ${reasonOf(error)}`, { cause: error });
  }
}

/** On a full disk a lock can be made and not be written; nobody would ever know whose it is. */
async function tokenWritten(lock: FileHandle, path: string, token: string): Promise<void> {
  try {
    await lock.writeFile(token);
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await lock.close();
  }
}

async function removeIfStale(path: string): Promise<void> {
  try {
    const { mtimeMs } = await stat(path);
    if (Date.now() - mtimeMs > staleAfterMs) await rm(path, { force: true });
  } catch (error) {
    if (systemErrorCode(error) !== 'ENOENT') throw error;
  }
}
