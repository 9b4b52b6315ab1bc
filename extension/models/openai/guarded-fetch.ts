import { LocalizableError, localizable } from '../../engine/wording/localizable-text';

/** The headers that a server needs. The client's other headers describe the machine or another account. */
const sentHeaders: ReadonlySet<string> = new Set(['accept', 'authorization', 'content-type', 'user-agent']);

/** Maximum size of a response in bytes. No summary and no vector is larger. */
const longestAnswer = 32 * 1024 * 1024;

export class ResponseTooLong extends LocalizableError {
  override name = 'ResponseTooLong';
}

/**
 * Fetches only from the given address. A redirect is returned unfollowed, because following it would send the
 * conversation, and maybe the key, elsewhere. Waits longer than `longestWaitMs` and responses of more than
 * `longestResponse` bytes are refused.
 */
export function guardedFetch(
  longestWaitMs: number,
  longestResponse = longestAnswer,
  send = globalThis.fetch,
): typeof fetch {
  return async (input, init) => {
    const response = await send(input, { ...init, headers: neededHeaders(init?.headers), redirect: 'manual' });
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

/** The wait that a server asks for, in milliseconds; 0 if it asks for none. */
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
      if (total > most)
        controller.error(new ResponseTooLong(localizable('It sent more than {0} MB.', most / 1024 / 1024)));
      else controller.enqueue(chunk);
    },
  });
}
