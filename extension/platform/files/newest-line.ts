import type { FileHandle } from 'node:fs/promises';
import { bytesAt } from './chunks';
import { type NoFile, withFile } from './with-file';

const chunkBytes = 1024 * 1024;
/** A line that is longer is not found. */
const longestLine = 256 * 1024;

/** The newest line of a file that contains this text and is meant; null if there is none. Reads backwards, as far as it must. */
export async function newestLine(
  file: string,
  text: string,
  isMeant: (line: string) => boolean,
): Promise<string | null | NoFile> {
  const wanted = Buffer.from(text);
  return await withFile<string | null>(file, async (handle, { size }) => {
    for (let end = size; end > 0; end -= chunkBytes) {
      const start = Math.max(0, end - chunkBytes);
      const bytes = await bytesAt(handle, start, Math.min(end + wanted.length - 1, size) - start);
      for (let at = bytes.lastIndexOf(wanted); at !== -1; at = at === 0 ? -1 : bytes.lastIndexOf(wanted, at - 1)) {
        const line = await lineAt(handle, start + at, size);
        if (isMeant(line)) return line;
      }
    }
    return null;
  });
}

async function lineAt(handle: FileHandle, place: number, size: number): Promise<string> {
  const from = Math.max(0, place - longestLine);
  const bytes = await bytesAt(handle, from, Math.min(place + longestLine, size) - from);
  const start = bytes.lastIndexOf('\n', place - from) + 1;
  const end = bytes.indexOf('\n', place - from);
  return bytes.subarray(start, end === -1 ? bytes.length : end).toString('utf8');
}
