import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline, Readable, promises as streamPromises, type Transform } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import zlib from 'node:zlib';
import { type Answer, type ByteSource, responseOf } from './answer';

/**
 * A `fetch` that adds no headers, follows no redirects and has no timeout; Node's `fetch` gives up after five minutes
 * without data. Takes a URL, and a body of bytes, text or a stream.
 */
export const upstreamFetch: typeof fetch = async (input, init = {}) =>
  fetched(new URL(input instanceof Request ? input.url : input), init, decoded).then(responseOf);

/** The same without decoding: the body of an encoded answer has the received bytes. */
export function encodedAnswer(url: URL, init: RequestInit): Promise<Answer> {
  return fetched(url, init, (answer) => answer);
}

type BodyOf = (answer: IncomingMessage) => Readable;

async function fetched(url: URL, init: RequestInit, bodyOf: BodyOf): Promise<Answer> {
  const signal = init.signal ?? undefined;
  signal?.throwIfAborted();
  const method = (init.method ?? 'GET').toUpperCase();
  const headers = Object.fromEntries(init.headers instanceof Headers ? init.headers : new Headers(init.headers));
  const body = (init.body ?? null) as UpstreamRequest['body'];
  // Not awaited here: an answer may take minutes, and the body must not stay in memory for that time.
  return received(answerTo({ url, method, headers, body, ...(signal ? { signal } : {}) }), method, bodyOf);
}

async function received(answer: Promise<IncomingMessage>, method: string, bodyOf: BodyOf): Promise<Answer> {
  return answerFrom(await answer, method, bodyOf);
}

/** HTTP statuses whose responses never have a body. */
const statusesWithoutBody = new Set([204, 205, 304]);

function answerFrom(answer: IncomingMessage, method: string, bodyOf: BodyOf): Answer {
  const { statusCode: status = 502, statusMessage: statusText = '', rawHeaders } = answer;
  if (status < 200 || status > 599) {
    answer.destroy();
    throw new Error(`it answered with the status ${status}`);
  }
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  const hasBody = !statusesWithoutBody.has(status) && method !== 'HEAD';
  if (!hasBody) answer.resume();
  return { status, statusText, headers, body: hasBody ? new ReadableSource(bodyOf(answer)) : null };
}

/** The bytes of a stream of Node.js. */
class ReadableSource implements ByteSource {
  #changed: () => void = () => undefined;
  #isCancelled = false;

  constructor(private readonly stream: Readable) {
    for (const event of ['readable', 'end', 'error', 'close']) stream.on(event, () => this.#changed());
  }

  async read(): Promise<ReadableStreamReadResult<Uint8Array<ArrayBuffer>>> {
    const { stream } = this;
    for (;;) {
      if (this.#isCancelled) return { done: true, value: undefined };
      const value: Buffer<ArrayBuffer> | null = stream.read();
      if (value !== null) return { done: false, value };
      if (stream.readableEnded) return { done: true, value: undefined };
      if (stream.destroyed) throw stream.errored ?? new Error('it closed the connection');
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }

  async cancel(): Promise<void> {
    this.#isCancelled = true;
    this.stream.destroy();
  }
}

/** Node supports Zstandard from 22.15 on. */
const decoders: Readonly<Record<string, (() => Transform) | undefined>> = {
  gzip: zlib.createGunzip,
  'x-gzip': zlib.createGunzip,
  deflate: zlib.createInflate,
  br: zlib.createBrotliDecompress,
  zstd: zlib.createZstdDecompress,
};

/** Decodes the body as `fetch` does. A body with an unknown encoding stays as it is. */
function decoded(answer: IncomingMessage): Readable {
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

/** A request to a provider. */
interface UpstreamRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | NodeStream<Uint8Array> | null;
  readonly signal?: AbortSignal;
}

/**
 * Resolves with the provider's response when its headers arrive. A request is sent once: if a kept-alive connection dies, the provider may
 * already have received the request, and its answer may cost money or have effects. The caller decides about a second request.
 */
function answerTo({ url, method, headers, body, signal }: UpstreamRequest): Promise<IncomingMessage> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const request = send(url, { method, headers, ...(signal ? { signal } : {}) });
  const answer = responseTo(request);
  if (isStream(body)) streamBody(request, body, answer);
  else writeBody(request, body);
  return answer;
}

function isStream(body: UpstreamRequest['body']): body is NodeStream<Uint8Array> {
  return body instanceof ReadableStream;
}

function responseTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve);
    // Errors can come after the response too: a server may answer early and close the connection.
    request.on('error', reject);
    request.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      reject(new Error(`it answered with ${statusCode}, another protocol`));
    });
    request.on('close', () => reject(new Error('it closed the connection')));
  });
}

function writeBody(request: ClientRequest, body: string | Uint8Array | null): void {
  if (body === null) {
    request.end();
    return;
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  request.setHeader('content-length', bytes.byteLength);
  request.end(bytes);
}

/** Streams the body. After the response has begun, failures of the body are ignored. */
function streamBody(request: ClientRequest, body: NodeStream<Uint8Array>, answered: Promise<IncomingMessage>): void {
  const source = Readable.fromWeb(body);
  let isAnswered = false;
  answered.then(
    (answer) => {
      isAnswered = true;
      answer.once('close', () => source.destroy());
    },
    () => source.destroy(),
  );
  streamPromises.pipeline(source, request).catch((error: unknown) => {
    if (!isAnswered) request.destroy(error instanceof Error ? error : new Error(String(error)));
  });
}
