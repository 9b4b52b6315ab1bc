import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { BodyBytes } from '../middleware/wire/body-bytes';
import { maxBodyBytes } from '../middleware/wire/relay-parts';
import type { ByteSource } from '../models/http/answer';
import { ReadableSource } from '../models/http/readable-source';
import { inTime } from '../platform/in-time';
import { ArrivingBody } from './arriving-body';

type ReceivedBody = { readonly kind: 'none' } | { readonly kind: 'whole'; readonly bytes: BodyBytes } | LongBody;

/** Over the limit: it can be forwarded but not read. */
interface LongBody {
  readonly kind: 'long';
  readonly stream: ReadableStream<Uint8Array<ArrayBuffer>>;
  readonly length: string | null;
  /** The error that ended it while it was forwarded; null without one. */
  refused(): BodyRefused | null;
}

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

/** In bytes. Shorter bodies are not compared with known ones while they arrive. */
const longFrom = 1024 * 1024;

/** `known`: the bodies that one of this length may continue. Rejects if the sender disconnects, and with `BodyRefused`. */
export async function receivedBody(
  incoming: IncomingMessage,
  rules: BodyRules = {},
  known: (length: number) => readonly BodyBytes[] = () => [],
): Promise<ReceivedBody> {
  const { limit = maxBodyBytes, take = () => true } = rules;
  const { 'content-length': length = null, 'transfer-encoding': encoding } = incoming.headers;
  if (length === null && encoding === undefined) return { kind: 'none' };
  const source = chunksOf(incoming, rules.pace);
  if (Number(length) > limit) return longBody(null, source, length);
  const expected = length === null ? limit : Number(length);
  const body = new ArrivingBody(expected, length === null || expected < longFrom ? [] : known(expected));
  while (body.size <= limit) {
    const next = await source.read();
    if (next.done) return { kind: 'whole', bytes: body.received() };
    // Not awaited here, so that the received bytes are not kept in memory until the body ends.
    if (!take(next.value.length)) return refused(source);
    body.add(next.value);
    if (body.size !== Number(length)) continue;
    // Only the end is left to be read. Waiting for it would delay the request.
    void source.read().catch(() => undefined);
    return { kind: 'whole', bytes: body.received() };
  }
  return longBody(body.received(), source, length);
}

type Chunks = Pick<ByteSource, 'read'>;

function chunksOf(incoming: IncomingMessage, pace: BodyPace | undefined): Chunks {
  const source = new ReadableSource(incoming);
  return pace === undefined ? source : paced(source, pace);
}

/** Rejects with `BodyRefused` when the body arrives more slowly than required. */
function paced(source: Chunks, { graceMs, bytesPerSecond }: BodyPace): Chunks {
  let waitedMs = 0;
  let bytes = 0;
  return {
    async read() {
      const began = performance.now();
      const patienceMs = graceMs + (bytes / bytesPerSecond) * 1_000 - waitedMs;
      const chunk = await inTime(source.read(), patienceMs, () => new BodyRefused('too-slow'));
      waitedMs += performance.now() - began;
      bytes += chunk.done ? 0 : chunk.value.length;
      return chunk;
    },
  };
}

/** Many clients see a broken connection instead of an answer that arrives while they are still sending. */
async function refused(source: Chunks): Promise<never> {
  for (let next = await source.read(); !next.done; ) next = await source.read();
  throw new BodyRefused('no-room');
}

function longBody(read: BodyBytes | null, source: Chunks, length: string | null): LongBody {
  let refused: BodyRefused | null = null;
  async function* chunks(): AsyncGenerator<Uint8Array> {
    if (read !== null) yield* read.parts;
    try {
      for (let next = await source.read(); !next.done; next = await source.read()) yield next.value;
    } catch (error) {
      if (error instanceof BodyRefused) refused = error;
      throw error;
    }
  }
  const stream = Readable.toWeb(Readable.from(chunks(), { objectMode: false })) as LongBody['stream'];
  return { kind: 'long', stream, length, refused: () => refused };
}
