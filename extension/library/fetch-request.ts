import { neverAborted } from '../conversations/never-aborted';

/** The request of a call of `fetch`, in whatever form it was called. */
export interface FetchRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly signal: AbortSignal;
  readonly redirect: RequestRedirect;
  readonly body: ReadableBody;
  /** The other options of the caller. */
  readonly more: RequestInit;
}

type ReadableBody = string | Blob | ArrayBuffer | ArrayBufferView<ArrayBuffer> | ReadableStream<Uint8Array> | null;

/** Null if the body cannot be read as text, or is a form. Such a request passes unchanged. */
export function readFetchCall(input: RequestInfo | URL, init: RequestInit = {}): FetchRequest | null {
  const request = input instanceof Request ? input : null;
  const address = request?.url ?? String(input);
  const body = init.body ?? request?.body ?? null;
  if (!URL.canParse(address) || !isReadable(body)) return null;
  return {
    url: new URL(address),
    method: (init.method ?? request?.method ?? 'GET').toUpperCase(),
    headers: new Headers(init.headers ?? request?.headers),
    signal: init.signal ?? request?.signal ?? neverAborted(),
    redirect: init.redirect ?? request?.redirect ?? 'follow',
    body,
    more: { ...(request ? settingsOf(request) : {}), ...init },
  };
}

/** A stream is read to its end. */
export async function bytesOf(body: ReadableBody): Promise<Uint8Array<ArrayBuffer> | null> {
  return body === null ? null : new Uint8Array(await new Response(body).arrayBuffer());
}

function isReadable(body: unknown): body is ReadableBody {
  if (body === null || typeof body === 'string') return true;
  if (body instanceof Blob || body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return true;
  return body instanceof ReadableStream;
}

function settingsOf({ cache, credentials, integrity, keepalive, mode, referrerPolicy }: Request): RequestInit {
  return { cache, credentials, integrity, keepalive, mode, referrerPolicy };
}
