import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';

export type ReceivedBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'whole'; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Over the limit: it can be forwarded but not read. */
  | { readonly kind: 'long'; readonly stream: NodeStream<Uint8Array>; readonly length: string | null };

/** Maximum size of a body that is read into memory. */
export const maxBytes = 64 * 1024 * 1024;

/** Rejects if the sender disconnects. */
export async function receivedBody(incoming: IncomingMessage, limit = maxBytes): Promise<ReceivedBody> {
  const { 'content-length': length = null, 'transfer-encoding': encoding } = incoming.headers;
  if (length === null && encoding === undefined) return { kind: 'none' };
  if (Number(length) > limit) return longBody(incoming, length);
  if (length !== null) return { kind: 'whole', bytes: await bytesOf(incoming, Number(length)) };
  const chunks: Buffer[] = [];
  const source = incoming.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]();
  for (let size = 0; size <= limit; ) {
    const next: IteratorResult<Buffer> = await source.next();
    if (next.done) return { kind: 'whole', bytes: joined(chunks, size) };
    chunks.push(next.value);
    size += next.value.length;
  }
  return longBody(Readable.from(restOf(chunks, source), { objectMode: false }), length);
}

/** Copies into separate memory, because Node's buffers may share theirs. Node ends a request at its length or breaks it off. */
async function bytesOf(incoming: IncomingMessage, length: number): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = Buffer.allocUnsafeSlow(length);
  let at = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) at += chunk.copy(bytes, at);
  return bytes.subarray(0, at);
}

/** Copies into separate memory, because Node's buffers may share theirs. */
function joined(chunks: readonly Buffer[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

async function* restOf(read: readonly Buffer[], source: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield* read;
  for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
}

function longBody(source: Readable, length: string | null): ReceivedBody {
  return { kind: 'long', stream: Readable.toWeb(source) as NodeStream<Uint8Array>, length };
}
