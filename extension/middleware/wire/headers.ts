import { type Answer, answerOf, responseOf, streamOf } from '../../models/http/answer';
import type { RequestIdentity } from '../requests/recording';
import type { BodyObserver } from './answer-stream';

/** Key of a request's conversation. Never forwarded. */
export const conversationHeader = 'x-strata-conversation';

/** A request's identity, as far as only its headers contain it. */
export function headerIdentity(received: Headers, scope?: string): RequestIdentity {
  const conversation = received.get(conversationHeader);
  return { ...(conversation ? { conversation } : {}), ...(scope === undefined ? {} : { scope }) };
}

/** Headers of a single connection (RFC 9110, section 7.6.1), and those that `fetch` sets itself. */
const connectionHeaders = [
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Encodings that `fetch` decodes. */
const decodedByFetch = /^(?:x-)?gzip$|^deflate$|^br$|^zstd$/;

/** Headers of a request that are set for the provider, or not meant for it. */
const ownHeaders = ['host', 'content-length', conversationHeader];

/** Headers to send to the provider. */
export function requestHeaders(received: Headers): Record<string, string> {
  return Object.fromEntries(passing(received, ownHeaders));
}

/** The headers of an answer that `fetch` decoded. */
function decodedHeaders(received: Headers): Headers {
  const headers = new Headers(received);
  if (!canBeDecoded(received)) return headers;
  headers.delete('content-encoding');
  headers.delete('content-length');
  return headers;
}

/** The headers without those of the connection. */
export function passingHeaders(received: Headers): Headers {
  return new Headers(passing(received));
}

function passing(received: Headers, others: readonly string[] = []): [name: string, value: string][] {
  const named = (received.get('connection') ?? '').toLowerCase().split(',');
  const removed = new Set([...connectionHeaders, ...others, ...named.map((name) => name.trim())]);
  return [...received].filter(([name]) => !removed.has(name));
}

function canBeDecoded(received: Headers): boolean {
  const encodings = (received.get('content-encoding') ?? '').toLowerCase().split(',');
  return encodings.every((encoding) => decodedByFetch.test(encoding.trim()));
}

/** Encodings that every runtime decodes. */
type Encoding = 'gzip' | 'deflate';

const encodings: ReadonlyMap<string | undefined, Encoding> = new Map([
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['deflate', 'deflate'],
]);

/** How a body is encoded. Null: not at all. Undefined: in a way that is not decoded here. */
export function encodingOf(headers: Headers): Encoding | null | undefined {
  const name = (headers.get('content-encoding') ?? 'identity').trim().toLowerCase();
  return name === 'identity' ? null : encodings.get(name);
}

/** The encodings that a client accepts and that can be decoded here, with their weights. */
export function readableEncodings(accepted: string | null): string {
  const offers = (accepted ?? '').split(',').map((offer) => offer.trim());
  const readable = offers.filter((offer) => encodings.has(nameIn(offer)));
  return readable.length === 0 ? 'identity' : readable.join(', ');
}

/**
 * For each answer, its headers say how the body is encoded, and only in a way that the client accepts. Keeps nothing of the request in
 * memory.
 */
export function arriving({ keepsEncoding = false }: { readonly keepsEncoding?: boolean }, asked: Headers) {
  const accepted = asked.get('accept-encoding');
  return keepsEncoding ? (answer: Answer) => asAccepted(answer, accepted) : withoutEncoding;
}

function withoutEncoding(answer: Answer): Answer {
  if (!answer.headers.has('content-encoding')) return answer;
  return { ...answer, headers: decodedHeaders(answer.headers) };
}

function asAccepted(answer: Answer, accepted: string | null): Answer {
  const offers = (accepted ?? '').split(',').map(nameIn);
  const name = answer.headers.get('content-encoding')?.trim().toLowerCase();
  return offers.includes(name) || offers.includes('*') ? answer : decodedAnswer(answer);
}

function nameIn(offer: string): string | undefined {
  return offer.split(';')[0]?.trim().toLowerCase();
}

/** The text of a body that was received whole. */
export async function textOfAnswer(bytes: ArrayBuffer, headers: Headers): Promise<string> {
  const answer = answerOf(new Response(bytes, { headers }));
  return await responseOf(decodedAnswer(answer))
    .text()
    .catch(() => '');
}

/** The decoded answer. An answer that cannot be decoded is returned unchanged. */
export function decodedAnswer(answer: Answer): Answer {
  const encoding = encodingOf(answer.headers);
  if (!encoding || answer.body === null) return answer;
  const body = streamOf(answer.body).pipeThrough(new DecompressionStream(encoding)).getReader();
  return { ...answer, headers: decodedHeaders(answer.headers), body };
}

/** Passes on the decoded bytes of an encoded body. If the body is broken, passes on what could be decoded. */
export function decodingObserver(observer: BodyObserver, encoding: Encoding): BodyObserver {
  const { readable, writable } = new DecompressionStream(encoding);
  const writer = writable.getWriter();
  const ignored = () => undefined;
  const reading = (async () => {
    const reader = readable.getReader();
    for (let next = await reader.read(); !next.done; next = await reader.read()) observer.chunk(next.value);
  })().catch(ignored);
  return {
    chunk: (bytes) => void writer.write(new Uint8Array(bytes)).catch(ignored),
    end: (how) => {
      void writer.close().catch(ignored);
      void reading.then(() => observer.end(how));
    },
  };
}
