import { bytesAt } from './chunks';
import { type NoFile, withFile } from './with-file';

/** Enough for the header, the first prompt and the newest records, and small enough to read from thousands of files. */
const endBytes = 64 * 1024;

/** For the few files in which the header with injected texts, or the newest records, are longer than that. */
export const longEndBytes = 1024 * 1024;

/** A file whose last line is longer has an empty tail. */
const mostTailBytes = 16 * 1024 * 1024;

const lineFeed = 0x0a;

/** The first and last lines of a file. */
export interface FileEnds {
  /** Whole lines from the start of the file. Empty if the first line is longer than the part that is read. */
  readonly head: readonly string[];
  /** Whole lines up to the end of the file that are not in the head already. */
  readonly tail: readonly string[];
  /** There are lines between them. */
  readonly hasGap: boolean;
}

export interface HeadAndTail extends FileEnds {
  readonly kind: 'ends';
}

/** Reads this many bytes of each end, and more of the tail until it has a whole line. */
export async function headAndTail(file: string, bytes = endBytes): Promise<HeadAndTail | NoFile> {
  return await withFile<HeadAndTail>(file, async (handle, { size }) => {
    const start = await bytesAt(handle, 0, Math.min(size, bytes));
    if (size <= bytes) return { kind: 'ends', head: linesOf(start), tail: [], hasGap: false };
    const headEnd = start.lastIndexOf(lineFeed) + 1;
    const head = linesOf(start.subarray(0, headEnd)).slice(0, -1);
    for (let tailBytes = bytes; ; tailBytes *= 16) {
      const tailStart = Math.max(bytes, size - tailBytes);
      const end = await bytesAt(handle, tailStart, size - tailStart);
      // If head and tail meet, the line between them is whole.
      const isWhole = tailStart === bytes && headEnd > 0;
      const tail = isWhole ? linesOf(Buffer.concat([start.subarray(headEnd), end])) : linesOf(end).slice(1);
      const isRead = tailStart === bytes || tailBytes >= mostTailBytes || tail.some((line) => line !== '');
      if (isRead) return { kind: 'ends', head, tail, hasGap: !isWhole };
    }
  });
}

/** The piece after the last newline counts as a line, because it may only lack its newline. A torn line does no harm here. */
function linesOf(bytes: Buffer): string[] {
  return bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split('\n');
}
