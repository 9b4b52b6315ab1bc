import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream as NodeStream } from 'node:stream/web';
import { decoded } from './decoded';

/**
 * A `fetch` that sends the headers it is given and none of its own, follows no redirect, and waits as long as the caller
 * does: Node's own gives up after five minutes of silence. Takes an address, and a body of bytes, text or a stream.
 */
export const upstreamFetch: typeof fetch = async (input, init = {}) => {
  const url = new URL(input instanceof Request ? input.url : input);
  const signal = init.signal ?? undefined;
  signal?.throwIfAborted();
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const headers = Object.fromEntries(new Headers(init.headers));
  const request = send(url, { method: init.method ?? 'GET', headers, ...(signal ? { signal } : {}) });
  const answered = answerOf(request);
  if (init.body instanceof ReadableStream) streamBody(request, init.body as NodeStream<Uint8Array>, answered);
  else writeBody(request, init.body ?? null);
  return responseOf(await answered, request.method);
};

function answerOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve);
    // Heard after the answer, too: a server may answer before it has read everything, and hang up.
    request.on('error', reject);
  });
}

function writeBody(request: ClientRequest, body: BodyInit | null): void {
  if (body === null) {
    request.end();
    return;
  }
  const bytes = typeof body === 'string' ? Buffer.from(body) : (body as Uint8Array);
  request.setHeader('content-length', bytes.byteLength);
  request.end(bytes);
}

/** Where the answer is there, what is left of the body does not matter any more. */
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

/** Answers that have no body, whatever their headers say. */
const bodiless = new Set([204, 205, 304]);

function responseOf(answer: IncomingMessage, method: string): Response {
  const { statusCode: status = 502, statusMessage: statusText = '', rawHeaders } = answer;
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  const init = { status, statusText, headers };
  if (!bodiless.has(status) && method !== 'HEAD')
    return new Response(Readable.toWeb(decoded(answer)) as ReadableStream, init);
  answer.resume();
  return new Response(null, init);
}
