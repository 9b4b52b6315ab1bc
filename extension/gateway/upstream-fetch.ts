import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { decoded } from './decoded';
import { answerTo, type UpstreamRequest } from './upstream-request';

/**
 * A `fetch` that sends the headers it is given and none of its own, follows no redirect, and waits as long as the caller
 * does: Node's own gives up after five minutes of silence. Takes an address, and a body of bytes, text or a stream.
 */
export const upstreamFetch: typeof fetch = async (input, init = {}) => {
  const url = new URL(input instanceof Request ? input.url : input);
  const signal = init.signal ?? undefined;
  signal?.throwIfAborted();
  const method = (init.method ?? 'GET').toUpperCase();
  const headers = Object.fromEntries(new Headers(init.headers));
  const body = (init.body ?? null) as UpstreamRequest['body'];
  const answer = await answerTo({ url, method, headers, body, ...(signal ? { signal } : {}) });
  return responseOf(answer, method);
};

/** Answers that have no body, whatever their headers say. */
const bodiless = new Set([204, 205, 304]);

function responseOf(answer: IncomingMessage, method: string): Response {
  const { statusCode: status = 502, statusMessage: statusText = '', rawHeaders } = answer;
  if (status < 200 || status > 599) {
    answer.destroy();
    throw new Error(`it answered with the status ${status}`);
  }
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  const init = { status, statusText, headers };
  if (!bodiless.has(status) && method !== 'HEAD')
    return new Response(Readable.toWeb(decoded(answer)) as ReadableStream, init);
  answer.resume();
  return new Response(null, init);
}
