import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';

/** Node supports Zstandard from 22.15 on. */
const decoders: Readonly<Record<string, (() => Transform) | undefined>> = {
  gzip: zlib.createGunzip,
  'x-gzip': zlib.createGunzip,
  deflate: zlib.createInflate,
  br: zlib.createBrotliDecompress,
  zstd: zlib.createZstdDecompress,
};

/** Decodes the body as `fetch` does. A body with an unknown encoding stays as it is. */
export function decoded(answer: IncomingMessage): Readable {
  const encodings = (answer.headers['content-encoding'] ?? '').toLowerCase().split(',');
  const steps = encodings.reverse().map((encoding) => decoders[encoding.trim()]);
  let body: Readable = answer;
  for (const step of steps) {
    if (step === undefined) return answer;
    // The reader of the last stream gets its error.
    body = pipeline(body, step(), () => undefined);
  }
  return body;
}
