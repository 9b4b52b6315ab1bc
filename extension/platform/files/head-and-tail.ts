import { bytesAt } from './chunks';
import { type NoFile, withFile } from './with-file';

/** Enough for the header, the first prompt and the newest records, and small enough to read from thousands of files. */
const endBytes = 64 * 1024;

/** For the few files whose header and injected texts are longer than that. */
export const longHeadBytes = 1024 * 1024;

const lineFeed = 0x0a;

export interface HeadAndTail {
  readonly kind: 'ends';
  /** Whole lines from the start of the file. Empty if the first line is longer than the part that is read. */
  readonly head: readonly string[];
  /** Whole lines up to the end of the file that are not in the head already. */
  readonly tail: readonly string[];
}

export async function headAndTail(file: string, headBytes = endBytes): Promise<HeadAndTail | NoFile> {
  return await withFile<HeadAndTail>(file, async (handle, { size }) => {
    const start = await bytesAt(handle, 0, Math.min(size, headBytes));
    if (size <= headBytes) return { kind: 'ends', head: linesOf(start), tail: [] };
    const headEnd = start.lastIndexOf(lineFeed) + 1;
    const head = linesOf(start.subarray(0, headEnd)).slice(0, -1);
    const tailStart = Math.max(headBytes, size - endBytes);
    const end = await bytesAt(handle, tailStart, size - tailStart);
    // If head and tail meet, the line between them is whole.
    const isWhole = tailStart === headBytes && headEnd > 0;
    const tail = isWhole ? linesOf(Buffer.concat([start.subarray(headEnd), end])) : linesOf(end).slice(1);
    return { kind: 'ends', head, tail };
  });
}

/** The piece after the last newline counts as a line, because it may only lack its newline. A torn line does no harm here. */
function linesOf(bytes: Buffer): string[] {
  return bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split('\n');
}
