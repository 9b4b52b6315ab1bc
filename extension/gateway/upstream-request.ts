import {
  type Agent,
  type ClientRequest,
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';

/** A request to a provider. */
export interface UpstreamRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | NodeStream<Uint8Array> | null;
  readonly signal?: AbortSignal;
}

/**
 * Resolves with the provider's response when its headers arrive. The provider may have closed a kept-alive connection
 * unnoticed; then the request is repeated once over a new one, unless an answer had begun or the body was a stream.
 */
export async function answerTo(request: UpstreamRequest): Promise<IncomingMessage> {
  const first = startAttempt(request);
  try {
    return await first.answer;
  } catch (error) {
    if (isStream(request.body) || !first.wasHungUpOn(error)) throw error;
    return await startAttempt(request, newConnection(request.url)).answer;
  }
}

interface Attempt {
  readonly answer: Promise<IncomingMessage>;
  /** A reused connection was closed before it returned anything. */
  wasHungUpOn(error: unknown): boolean;
}

function startAttempt({ url, method, headers, body, signal }: UpstreamRequest, agent?: Agent): Attempt {
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const request = send(url, { method, headers, ...(signal ? { signal } : {}), ...(agent ? { agent } : {}) });
  let readBefore = 0;
  request.once('socket', ({ bytesRead }) => {
    readBefore = bytesRead;
  });
  const answer = responseTo(request);
  if (isStream(body)) streamBody(request, body, answer);
  else writeBody(request, body);
  const hasRead = () => request.socket !== null && request.socket.bytesRead > readBefore;
  return { answer, wasHungUpOn: (error) => request.reusedSocket && isHangUp(error) && !hasRead() };
}

function isStream(body: UpstreamRequest['body']): body is NodeStream<Uint8Array> {
  return body instanceof ReadableStream;
}

function isHangUp(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
}

/** Does not reuse connections, because other kept-alive ones may be closed too. */
function newConnection({ protocol }: URL): Agent {
  return protocol === 'https:' ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false });
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
  pipeline(source, request).catch((error: unknown) => {
    if (!isAnswered) request.destroy(error instanceof Error ? error : new Error(String(error)));
  });
}
