import type { IncomingMessage } from 'node:http';
import { pipeline, type Readable, type Transform } from 'node:stream';
import zlib from 'node:zlib';

/** Zstandard came to Node in 22.15. */
const decoders: Readonly<Record<string, (() => Transform) | undefined>> = {
  gzip: zlib.createGunzip,
  'x-gzip': zlib.createGunzip,
  deflate: zlib.createInflate,
  br: zlib.createBrotliDecompress,
  zstd: zlib.createZstdDecompress,
};

/** The body as `fetch` gives it: without encodings that were not asked for. One that nobody knows is left as it is. */
export function decoded(answer: IncomingMessage): Readable {
  const encodings = (answer.headers['content-encoding'] ?? '').toLowerCase().split(',');
  const steps = encodings.reverse().map((encoding) => decoders[encoding.trim()]);
  let body: Readable = answer;
  for (const step of steps) {
    if (step === undefined) return answer;
    // Whoever reads the last of them sees its error.
    body = pipeline(body, step(), () => undefined);
  }
  return body;
}
