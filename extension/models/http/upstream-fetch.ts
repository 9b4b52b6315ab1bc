import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pipeline, Readable, promises as streamPromises, type Transform } from 'node:stream';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import zlib from 'node:zlib';
import { type Answer, headersFrom, responseOf, type SentRequest } from './answer';
import { ReadableSource } from './readable-source';

/**
 * A `fetch` that adds no headers, follows no redirects and has no timeout; Node's `fetch` gives up after five minutes
 * without data. Takes a URL, and a body of bytes, text or a stream.
 */
export const upstreamFetch: typeof fetch = async (input, init = {}) => {
  const url = new URL(input instanceof Request ? input.url : input);
  const { method = 'GET', signal, body } = init;
  const request = {
    method: method.toUpperCase(),
    headers: Object.fromEntries(new Headers(init.headers)),
    body: partsOf(body as Body),
    ...(signal ? { signal } : {}),
  };
  return fetched(url, request, decoded).then(responseOf);
};

/** The same for a body in parts, and without decoding: the body of an encoded answer has the received bytes. */
export async function encodedAnswer(url: URL, request: UpstreamRequest): Promise<Answer> {
  return fetched(url, request, (answer) => answer);
}

type UpstreamRequest = Omit<SentRequest, 'signal'> & Partial<Pick<SentRequest, 'signal'>>;

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array<ArrayBuffer>> | null | undefined;

function partsOf(body: Body): SentRequest['body'] {
  if (body === null || body === undefined || body instanceof ReadableStream) return body ?? null;
  return [typeof body === 'string' ? new TextEncoder().encode(body) : body];
}

type BodyOf = (answer: IncomingMessage) => Readable;

/** Not awaited here: an answer may take minutes, and the body must not stay in memory for that time. */
function fetched(url: URL, request: UpstreamRequest, bodyOf: BodyOf): Promise<Answer> {
  request.signal?.throwIfAborted();
  return received(answerTo(url, request), request.method, bodyOf);
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
  const headers = headersFrom(rawHeaders);
  const hasBody = !statusesWithoutBody.has(status) && method !== 'HEAD';
  if (!hasBody) answer.resume();
  return { status, statusText, headers, body: hasBody ? new ReadableSource(bodyOf(answer)) : null };
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

/**
 * Resolves with the provider's response when its headers arrive. A request is sent once: if a kept-alive connection dies, the provider may
 * already have received the request, and its answer may cost money or have effects. The caller decides about a second request.
 */
function answerTo(url: URL, { method, headers, body, signal }: UpstreamRequest): Promise<IncomingMessage> {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const request = send(url, { method, headers });
  const answer = responseTo(request);
  if (signal) abortWith(signal, request);
  if (body instanceof ReadableStream) streamBody(request, body as NodeStream<Uint8Array>, answer);
  else writeBody(request, body);
  return answer;
}

/** Rejects with the signal's reason, as `fetch` does. Node's option `signal` rejects with its own error, and takes longer: it observes all streams. */
function abortWith(signal: AbortSignal, request: ClientRequest): void {
  const abort = () => request.destroy(signal.reason);
  signal.addEventListener('abort', abort);
  request.once('close', () => signal.removeEventListener('abort', abort));
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

function writeBody(request: ClientRequest, parts: readonly Uint8Array[] | null): void {
  if (parts === null) {
    request.end();
    return;
  }
  request.setHeader(
    'content-length',
    parts.reduce((total, { length }) => total + length, 0),
  );
  for (const part of parts.slice(0, -1)) request.write(part);
  request.end(parts.at(-1));
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
