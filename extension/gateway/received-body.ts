import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { maxBodyBytes } from '../middleware/wire/relay-parts';
import { inTime } from '../platform/in-time';

type ReceivedBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'whole'; readonly bytes: Uint8Array<ArrayBuffer> }
  | LongBody;

/** Over the limit: it can be forwarded but not read. */
interface LongBody {
  readonly kind: 'long';
  readonly stream: NodeStream<Uint8Array>;
  readonly length: string | null;
  /** The error that ended it while it was forwarded; null without one. */
  refused(): BodyRefused | null;
}

/** Initial memory for a body with a known length, before its bytes arrive. */
const firstBytes = 1024 * 1024;

/** The factor by which a full buffer grows, at most to the announced length. Each time, all of it is copied. */
const growth = 8;

/** The minimum speed of a body. Only time spent waiting for the sender counts, not the time in which a provider reads slowly. */
export interface BodyPace {
  /** For this many milliseconds, any speed is allowed. */
  readonly graceMs: number;
  readonly bytesPerSecond: number;
}

export interface BodyRules {
  /** Default: `maxBodyBytes`. */
  readonly limit?: number;
  /** Absent: a body may take any time. */
  readonly pace?: BodyPace;
  /** Called for received bytes that are in memory. False: there is no room for them. */
  readonly take?: (bytes: number) => boolean;
}

/** A body arrived too slowly, or there was no room for it. In the second case it was read to its end. */
export class BodyRefused extends Error {
  override name = 'BodyRefused';

  constructor(readonly because: 'too-slow' | 'no-room') {
    super(because);
  }
}

/** Rejects if the sender disconnects, and with `BodyRefused`. */
export async function receivedBody(incoming: IncomingMessage, rules: BodyRules = {}): Promise<ReceivedBody> {
  const { limit = maxBodyBytes, take = () => true } = rules;
  const { 'content-length': length = null, 'transfer-encoding': encoding } = incoming.headers;
  if (length === null && encoding === undefined) return { kind: 'none' };
  const source = chunksOf(incoming, rules.pace);
  if (Number(length) > limit) return longBody(null, source, length);
  const body = new GrowingBody(length === null ? limit : Number(length));
  while (body.size <= limit) {
    const next = await source.next();
    if (next.done) return { kind: 'whole', bytes: body.bytes };
    if (!take(next.value.length)) return await refused(source);
    body.add(next.value);
    if (body.size !== Number(length)) continue;
    // Only the end is left to be read. Waiting for it would delay the request.
    void source.next().catch(() => undefined);
    return { kind: 'whole', bytes: body.bytes };
  }
  return longBody(body.bytes, source, length);
}

type Chunks = Pick<AsyncIterator<Buffer, unknown>, 'next'>;

function chunksOf(incoming: IncomingMessage, pace: BodyPace | undefined): Chunks {
  const source = incoming.iterator({ destroyOnReturn: false })[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  return pace === undefined ? source : paced(source, pace);
}

/** Rejects with `BodyRefused` when the body arrives more slowly than required. */
function paced(source: AsyncIterator<Buffer>, { graceMs, bytesPerSecond }: BodyPace): Chunks {
  let waitedMs = 0;
  let bytes = 0;
  return {
    async next() {
      const began = performance.now();
      const patienceMs = graceMs + (bytes / bytesPerSecond) * 1_000 - waitedMs;
      const chunk = await inTime(source.next(), patienceMs, () => new BodyRefused('too-slow'));
      waitedMs += performance.now() - began;
      bytes += chunk.done ? 0 : chunk.value.length;
      return chunk;
    },
  };
}

/** Many clients see a broken connection instead of an answer that arrives while they are still sending. */
async function refused(source: Chunks): Promise<never> {
  for (let next = await source.next(); !next.done; ) next = await source.next();
  throw new BodyRefused('no-room');
}

/** Bytes in separate memory, because Node's buffers may share theirs. It grows with the received bytes, not with the announced length. */
class GrowingBody {
  #memory: Buffer<ArrayBuffer>;
  #size = 0;

  constructor(private readonly expected: number) {
    this.#memory = Buffer.allocUnsafeSlow(Math.min(expected, firstBytes));
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#memory.subarray(0, this.#size);
  }

  add(chunk: Buffer): void {
    const size = this.#size + chunk.length;
    if (size > this.#memory.length) this.#grow(size);
    chunk.copy(this.#memory, this.#size);
    this.#size = size;
  }

  #grow(size: number): void {
    const memory = Buffer.allocUnsafeSlow(Math.max(size, Math.min(this.expected, this.#memory.length * growth)));
    this.#memory.copy(memory, 0, 0, this.#size);
    this.#memory = memory;
  }
}

function longBody(read: Uint8Array | null, source: Chunks, length: string | null): LongBody {
  let refused: BodyRefused | null = null;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    if (read !== null) yield read;
    try {
      for (let next = await source.next(); !next.done; next = await source.next()) yield next.value;
    } catch (error) {
      if (error instanceof BodyRefused) refused = error;
      throw error;
    }
  }
  const stream = Readable.toWeb(Readable.from(chunks(), { objectMode: false })) as NodeStream<Uint8Array>;
  return { kind: 'long', stream, length, refused: () => refused };
}
