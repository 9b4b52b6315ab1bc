import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
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
 * Resolves with the provider's response when its headers arrive. A request is sent once: if a kept-alive connection dies, the provider may
 * already have received the request, and its answer may cost money or have effects. The caller decides about a second request.
 */
export function answerTo({ url, method, headers, body, signal }: UpstreamRequest): Promise<IncomingMessage> {
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
  pipeline(source, request).catch((error: unknown) => {
    if (!isAnswered) request.destroy(error instanceof Error ? error : new Error(String(error)));
  });
}
