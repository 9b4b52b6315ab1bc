import type { FileHandle } from 'node:fs/promises';
import { bytesAt } from './chunks';
import { type NoFile, withFile } from './with-file';

const chunkBytes = 1024 * 1024;
/** Longer lines are not found. */
const longestLine = 256 * 1024;

interface WantedLine {
  readonly text: string;
  isMeant(line: string): boolean;
}

interface Searched {
  readonly inode: number;
  /** Bytes. */
  readonly size: number;
  readonly line: string | null;
}

/** Finds lines in files that only grow. Searched parts are not read again. */
export class NewestLines {
  readonly #searched = new Map<string, Searched>();

  /**
   * The newest line of a file that contains this text and passes the check; null if there is none. Reads backwards, and only as far as
   * necessary.
   */
  async find(file: string, wanted: WantedLine): Promise<string | null | NoFile> {
    const key = `${wanted.text} ${file}`;
    return await withFile<string | null>(file, async (handle, { size, ino }) => {
      const known = this.#searched.get(key);
      const isGrown = known?.inode === ino && known.size <= size;
      // The last line may not have been complete.
      const from = isGrown ? Math.max(0, known.size - longestLine) : 0;
      const line = (await newestIn(handle, { from, size }, wanted)) ?? (isGrown ? known.line : null);
      this.#searched.set(key, { inode: ino, size, line });
      return line;
    });
  }
}

async function newestIn(
  handle: FileHandle,
  { from, size }: { from: number; size: number },
  { text, isMeant }: WantedLine,
): Promise<string | null> {
  const wanted = Buffer.from(text);
  for (let end = size; end > from; end -= chunkBytes) {
    const start = Math.max(from, end - chunkBytes);
    const bytes = await bytesAt(handle, start, Math.min(end + wanted.length - 1, size) - start);
    for (let at = bytes.lastIndexOf(wanted); at !== -1; at = at === 0 ? -1 : bytes.lastIndexOf(wanted, at - 1)) {
      const line = await lineAt(handle, start + at, size);
      if (isMeant(line)) return line;
    }
  }
  return null;
}

async function lineAt(handle: FileHandle, place: number, size: number): Promise<string> {
  const from = Math.max(0, place - longestLine);
  const bytes = await bytesAt(handle, from, Math.min(place + longestLine, size) - from);
  const start = bytes.lastIndexOf('\n', place - from) + 1;
  const end = bytes.indexOf('\n', place - from);
  return bytes.subarray(start, end === -1 ? bytes.length : end).toString('utf8');
}
