import { stat } from 'node:fs/promises';
import { orIfUnreadable } from '../../platform/files/with-file';
import { readAddress } from '../../sessions/address';

/** A session being opened. */
export interface Opening {
  readonly file: string;
  /** Bytes; null if not known, or not yet. */
  readonly size: number | null;
  /** Cancels opening and, later, following. */
  readonly following: AbortController;
}

/** Does not wait for the size. Calls `onSize` when it is known. */
export function openingOf(file: string, onSize: () => void): Opening {
  const opening = { file, size: null as number | null, following: new AbortController() };
  void sizeOf(file).then((size) => {
    opening.size = size;
    if (!opening.following.signal.aborted) onSize();
  });
  return opening;
}

/** A session in a database has no file size. */
async function sizeOf(address: string): Promise<number | null> {
  const [place] = readAddress(address);
  if (!place || place.key !== null) return null;
  // Opening the file will report why it cannot be read.
  return (await orIfUnreadable(stat(place.file), null))?.size ?? null;
}
