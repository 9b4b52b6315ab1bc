import type { KeptAnswer } from '../requests/kept-answer';
import type { IncomingRequest, KeptRequest } from '../requests/kept-requests';
import { answerObserver } from './answer-observer';
import { answerHeaders, requestHeaders } from './headers';
import type { Notice } from './notices';
import { observed } from './observed';
import { type PreparedRequest, prepared } from './prepared';
import type { WireProtocol } from './protocol';
import { protocolOf } from './protocols';

export type { Notice };

export interface RelayParts {
  readonly keep: (request: IncomingRequest) => Promise<KeptRequest>;
  /** Tokens; null where nobody says. */
  readonly windowOf: (model: string) => number | null;
  readonly fetch: typeof fetch;
  /** Hears of each request; `toldOnce` makes once of it. */
  readonly notify: (notice: Notice) => void;
  /** ISO 8601. */
  readonly now: () => string;
}

/** A request on its way to a provider. */
export interface PassingRequest {
  /** Where it goes: the provider's own address. */
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer> | null;
  /** Aborted when whoever asked has gone away. */
  readonly signal: AbortSignal;
}

/**
 * Sends a request on, with blocks in the places of what they stand for, and keeps it together with its answer. The answer
 * passes as it comes, byte for byte. Rejects as `fetch` does; what cannot be read or kept passes as it is.
 */
export async function relay(parts: RelayParts, request: PassingRequest): Promise<Response> {
  const protocol = request.method === 'POST' ? protocolOf(request.url.pathname) : null;
  if (protocol === null) return passed(await sent(parts, request, request.body));
  const { body, answer } = await prepared(parts, request, protocol);
  try {
    return keptOnItsWay(await sent(parts, request, body), protocol, answer);
  } catch (error) {
    void answer?.failed();
    throw error;
  }
}

/** Keys go to no other address than the one they are meant for, so whoever asked follows a redirection, or does not. */
function sent(parts: RelayParts, request: PassingRequest, body: PreparedRequest['body']): Promise<Response> {
  const { url, method, signal } = request;
  const headers = requestHeaders(request.headers);
  return parts.fetch(url, { method, headers, body, signal, redirect: 'manual' });
}

function keptOnItsWay(response: Response, protocol: WireProtocol, answer: KeptAnswer | null): Response {
  if (answer === null) return passed(response);
  const reader = response.ok ? protocol.answerReader(response.headers.get('content-type') ?? '') : null;
  if (reader !== null && response.body !== null) {
    return passed(response, observed(response.body, answerObserver(answer, reader)));
  }
  void answer.failed();
  return passed(response);
}

/** An answer without the headers that are of one connection alone. */
export function passed(response: Response, body = response.body): Response {
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers: answerHeaders(headers) });
}
