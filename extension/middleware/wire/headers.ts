import type { RequestIdentity } from '../requests/keeping';

/** Key of a request's conversation. Never forwarded. */
export const conversationHeader = 'x-strata-conversation';

/** The identity of a request that only its headers name. */
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

/** Headers to send to the provider. */
export function requestHeaders(received: Headers): Headers {
  const headers = passingHeaders(received);
  headers.delete('host');
  headers.delete('content-length');
  headers.delete(conversationHeader);
  return headers;
}

/** The headers of an answer that `fetch` decoded. */
export function decodedHeaders(received: Headers): Headers {
  const headers = new Headers(received);
  if (!canBeDecoded(received)) return headers;
  headers.delete('content-encoding');
  headers.delete('content-length');
  return headers;
}

/** Without the headers of the connection. */
export function passingHeaders(received: Headers): Headers {
  const headers = new Headers(received);
  const named = (received.get('connection') ?? '').split(',').map((name) => name.trim());
  for (const name of [...connectionHeaders, ...named]) if (isName(name)) headers.delete(name);
  return headers;
}

/** `Headers` throws for invalid names. */
function isName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}

function canBeDecoded(received: Headers): boolean {
  const encodings = (received.get('content-encoding') ?? '').toLowerCase().split(',');
  return encodings.every((encoding) => decodedByFetch.test(encoding.trim()));
}
