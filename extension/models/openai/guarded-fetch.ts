/** Of what the client adds to a request, a server needs these; the rest tells of the machine, or of another account. */
const sentHeaders: ReadonlySet<string> = new Set(['accept', 'authorization', 'content-type', 'user-agent']);

/** More than this is no summary and no vector. In bytes. */
const longestAnswer = 32 * 1024 * 1024;

export class ResponseTooLong extends Error {
  override name = 'ResponseTooLong';
}

/**
 * Fetches from where it was told to and nowhere else: a redirect is handed back as it is, since following it would take
 * the conversation, and maybe the key, to another place. A wait longer than `longestWaitMs` is not waited for, and a
 * response of more than `longestResponse` bytes is not read to its end.
 */
export function guardedFetch(longestWaitMs: number, longestResponse = longestAnswer): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, { ...init, headers: neededHeaders(init?.headers), redirect: 'manual' });
    const headers = new Headers(response.headers);
    if (waitAsked(headers) > longestWaitMs) headers.set('x-should-retry', 'false');
    const { status, statusText } = response;
    return new Response(response.body?.pipeThrough(upTo(longestResponse)) ?? null, { status, statusText, headers });
  };
}

function neededHeaders(headers: HeadersInit | undefined): Headers {
  const needed = new Headers(headers);
  for (const name of [...needed.keys()]) if (!sentHeaders.has(name)) needed.delete(name);
  return needed;
}

/** How long a server asks to be left alone, in milliseconds; 0 where it does not say. */
export function waitAsked(headers: Headers): number {
  const milliseconds = Number.parseFloat(headers.get('retry-after-ms') ?? '');
  if (!Number.isNaN(milliseconds)) return milliseconds;
  const after = headers.get('retry-after') ?? '';
  const seconds = Number.parseFloat(after);
  if (!Number.isNaN(seconds)) return seconds * 1000;
  const until = Date.parse(after);
  return Number.isNaN(until) ? 0 : Math.max(0, until - Date.now());
}

function upTo(most: number): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let total = 0;
  return new TransformStream({
    transform(chunk, controller) {
      total += chunk.byteLength;
      if (total > most) controller.error(new ResponseTooLong(`It sent more than ${most / 1024 / 1024} MB.`));
      else controller.enqueue(chunk);
    },
  });
}
