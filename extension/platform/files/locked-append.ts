import { ftruncateSync, writeSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { LocalizableError, localizable, wordingOf } from '../../engine/wording/localizable-text';

export { LockNotTaken, withFreeLock, withLock } from './file-lock';

/** Part of the data was appended to the file and could not be cut off again. */
export class NotTakenBack extends LocalizableError {
  override name = 'NotTakenBack';
}

/**
 * Appends all of the bytes or none of them: after a failure, the written part is cut off again. `isDurable`: waits until the bytes are on
 * the disk.
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

/** The same on this thread, without waiting for the disk. False if none were appended. Throws if some could not be cut off again. */
export function appendedHere(
  file: number,
  position: number,
  bytes: Buffer,
  write: (file: number, bytes: Buffer) => number = writeSync,
): boolean {
  try {
    if (write(file, bytes) === bytes.length) return true;
  } catch {
    // Nothing or a part was written.
  }
  ftruncateSync(file, position);
  return false;
}

async function takeBack(file: FileHandle, position: number, length: number, cause: unknown): Promise<void> {
  try {
    // Data that another process appended after it must not be cut off.
    if ((await file.stat()).size > position + length)
      throw new LocalizableError(localizable('another process has written after it'));
    await file.truncate(position);
  } catch (error) {
    throw new NotTakenBack(
      localizable('{0}; what was written could not be removed: {1}', wordingOf(cause), wordingOf(error)),
      { cause },
    );
  }
}
