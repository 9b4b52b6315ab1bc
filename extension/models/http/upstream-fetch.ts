import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { decoded } from './decoded';
import { answerTo, type UpstreamRequest } from './upstream-request';

/**
 * A `fetch` that adds no headers, follows no redirects and has no timeout; Node's `fetch` gives up after five minutes
 * without data. Takes a URL, and a body of bytes, text or a stream.
 */
export const upstreamFetch: typeof fetch = (input, init) => fetched(input, init, decoded);

/** The same without decoding: the body of an encoded answer has the received bytes. */
export const encodedFetch: typeof fetch = (input, init) => fetched(input, init, (answer) => answer);

type BodyOf = (answer: IncomingMessage) => Readable;

async function fetched(input: Parameters<typeof fetch>[0], init: RequestInit = {}, bodyOf: BodyOf): Promise<Response> {
  const url = new URL(input instanceof Request ? input.url : input);
  const signal = init.signal ?? undefined;
  signal?.throwIfAborted();
  const method = (init.method ?? 'GET').toUpperCase();
  const headers = Object.fromEntries(new Headers(init.headers));
  const body = (init.body ?? null) as UpstreamRequest['body'];
  // Not awaited here: an answer may take minutes, and the body must not stay in memory for that time.
  return responseFrom(answerTo({ url, method, headers, body, ...(signal ? { signal } : {}) }), method, bodyOf);
}

async function responseFrom(answer: Promise<IncomingMessage>, method: string, bodyOf: BodyOf): Promise<Response> {
  return responseOf(await answer, method, bodyOf);
}

/** HTTP statuses whose responses never have a body. */
const statusesWithoutBody = new Set([204, 205, 304]);

function responseOf(answer: IncomingMessage, method: string, bodyOf: BodyOf): Response {
  const { statusCode: status = 502, statusMessage: statusText = '', rawHeaders } = answer;
  if (status < 200 || status > 599) {
    answer.destroy();
    throw new Error(`it answered with the status ${status}`);
  }
  const headers = new Headers();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) headers.append(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  const init = { status, statusText, headers };
  if (!statusesWithoutBody.has(status) && method !== 'HEAD')
    return new Response(Readable.toWeb(bodyOf(answer)) as ReadableStream, init);
  answer.resume();
  return new Response(null, init);
}
