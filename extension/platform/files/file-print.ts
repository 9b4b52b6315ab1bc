import { createHash } from 'node:crypto';
import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { bytesAt, chunksFrom } from './chunks';

const headBytes = 256;
const tailBytes = 64;

/** How a file has changed since it was read. */
type Continuation =
  /** Whether the part that was read is unchanged. The file may have grown. */
  | 'continued'
  | 'shrunk'
  /** Another file of that name, or other content in it. */
  | 'replaced';

/** Distinguishes a file that grew from one that was replaced or overwritten, without reading a grown file again. */
export class FilePrint {
  offset = 0;
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  readonly #hash = createHash('sha256');

  constructor(private readonly inode: number) {}

  take(chunk: Buffer): void {
    if (this.#head.length < headBytes) {
      this.#head = Buffer.concat([this.#head, chunk.subarray(0, headBytes - this.#head.length)]);
    }
    this.#tail = Buffer.from(Buffer.concat([this.#tail, chunk.subarray(-tailBytes)]).subarray(-tailBytes));
    this.#hash.update(chunk);
    this.offset += chunk.length;
  }

  /** Whether a file with these numbers was read to its end. */
  isWhole({ size, ino }: Pick<Stats, 'size' | 'ino'>): boolean {
    return ino === this.inode && size === this.offset;
  }

  async matches(handle: FileHandle, { size, ino }: Pick<Stats, 'size' | 'ino'>): Promise<Continuation> {
    if (ino !== this.inode) return 'replaced';
    if (size < this.offset) return 'shrunk';
    if (size === this.offset) return (await this.#isSame(handle)) ? 'continued' : 'replaced';
    const head = await bytesAt(handle, 0, this.#head.length);
    const tail = await bytesAt(handle, this.offset - this.#tail.length, this.#tail.length);
    return head.equals(this.#head) && tail.equals(this.#tail) ? 'continued' : 'replaced';
  }

  /** Reads all of it, because a file that was written to and has the same size did not grow. */
  async #isSame(handle: FileHandle): Promise<boolean> {
    const now = createHash('sha256');
    for await (const chunk of chunksFrom(handle, 0, this.offset)) now.update(chunk);
    return now.digest('hex') === this.#hash.copy().digest('hex');
  }
}
