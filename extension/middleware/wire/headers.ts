/** What only concerns one connection. Source: RFC 9110, section 7.6.1, and what `fetch` writes by itself. */
const ofConnection = [
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

/** The encodings that `fetch` undoes. */
const undone = /^(?:x-)?gzip$|^deflate$|^br$|^zstd$/;

/** As they go on to the provider. The answer is to come as it is: encoded anew it would be other bytes. */
export function requestHeaders(received: Headers): Headers {
  const headers = passing(received);
  headers.delete('host');
  headers.delete('content-length');
  headers.set('accept-encoding', 'identity');
  return headers;
}

/** As they go back. A provider that encodes all the same is decoded by `fetch`, so the body is another one than they say. */
export function answerHeaders(received: Headers): Headers {
  const headers = passing(received);
  if (!isDecoded(received)) return headers;
  headers.delete('content-encoding');
  headers.delete('content-length');
  return headers;
}

function passing(received: Headers): Headers {
  const headers = new Headers(received);
  const named = (received.get('connection') ?? '').split(',').map((name) => name.trim());
  for (const name of [...ofConnection, ...named]) if (isName(name)) headers.delete(name);
  return headers;
}

/** `Headers` throws for what cannot be the name of one. */
function isName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}

function isDecoded(received: Headers): boolean {
  const encodings = (received.get('content-encoding') ?? '').toLowerCase().split(',');
  return encodings.every((encoding) => undone.test(encoding.trim()));
}
