import { stat } from 'node:fs/promises';
import { readAddress } from '../../sessions/address';
import { systemErrorCode } from '../../sessions/files/with-file';

/** A session that is being opened. */
export interface Opening {
  readonly file: string;
  /** Bytes; null until it is known, and where it is not. */
  readonly size: number | null;
  /** Ends the opening, and later the following. */
  readonly following: AbortController;
}

/** Nobody waits for the size: `onSize` tells when it is there. */
export function openingOf(file: string, onSize: () => void): Opening {
  const opening = { file, size: null as number | null, following: new AbortController() };
  void sizeOf(file).then((size) => {
    opening.size = size;
    if (!opening.following.signal.aborted) onSize();
  });
  return opening;
}

/** A session in a database has no size of its own. */
async function sizeOf(address: string): Promise<number | null> {
  const [place] = readAddress(address);
  if (!place || place.key !== null) return null;
  try {
    return (await stat(place.file)).size;
  } catch (error) {
    // Whoever opens the file then says why it cannot be read.
    if (systemErrorCode(error) === null) throw error;
    return null;
  }
}
