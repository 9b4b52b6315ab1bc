import type { KeptAnswer } from '../requests/kept-answer';
import { answerObserver } from './answer-observer';
import { answerHeaders, requestHeaders } from './headers';
import { observed } from './observed';
import type { PassingRequest, RelayParts } from './passing-request';
import { type PreparedRequest, prepared } from './prepared';
import type { WireProtocol } from './protocol';
import { protocolOf } from './protocols';

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
