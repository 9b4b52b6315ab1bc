import type { FileHandle } from 'node:fs/promises';

/** Bytes. Processing a chunk blocks everything else, so it is some milliseconds of work. */
const chunkSize = 256 * 1024;

/**
 * The bytes of an open file from `offset` to its present end, or to the given one. Each chunk is only valid until the next one is
 * requested, because all use the same buffer.
 */
export async function* chunksFrom(
  file: FileHandle,
  offset: number,
  end = Number.POSITIVE_INFINITY,
): AsyncGenerator<Buffer> {
  const buffer = Buffer.allocUnsafe(chunkSize);
  for (let position = offset; position < end; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(chunkSize, end - position), position);
    if (bytesRead === 0) return;
    yield buffer.subarray(0, bytesRead);
    position += bytesRead;
  }
}

/** Exactly the requested bytes, or fewer at the end of the file. */
export async function bytesAt(file: FileHandle, offset: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}
