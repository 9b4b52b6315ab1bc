import type { KeptAnswer } from '../requests/kept-answer';
import { answerObserver } from './answer-observer';
import { answerHeaders, requestHeaders } from './headers';
import { observed } from './observed';
import { ownModel } from './own-model';
import type { PassingRequest, RelayParts } from './passing-request';
import { type PreparedRequest, prepareRequest } from './prepared';
import type { WireProtocol } from './protocol';
import { protocolOf } from './protocols';

/**
 * Forwards a request with blocks in place of what they replace, and stores it with its answer. The answer is returned
 * byte for byte. Rejects as `fetch` does. A request that cannot be read or stored is forwarded unchanged.
 */
export async function relay(parts: RelayParts, request: PassingRequest): Promise<Response> {
  const protocol = request.method === 'POST' ? protocolOf(request.url.pathname) : null;
  if (protocol === null) return passed(await send(parts, request, request.body));
  const { body, answer, model } = await prepareRequest(parts, request, protocol);
  if (answer?.wantsOwnModel && body !== null && model !== null) {
    const sendAgain = (asked: typeof body, signal: AbortSignal) => send(parts, { ...request, signal }, asked);
    answer.writesWith((isCached) => ownModel({ body, model, protocol, send: sendAgain }, isCached));
  }
  // Not awaited here: an answer may take minutes, in which nothing must hold the body.
  return keptPassing(send(parts, request, body), protocol, answer);
}

async function keptPassing(
  sending: Promise<Response>,
  protocol: WireProtocol,
  answer: KeptAnswer | null,
): Promise<Response> {
  try {
    return keepPassingAnswer(await sending, protocol, answer);
  } catch (error) {
    void answer?.failed();
    throw error;
  }
}

/** Leaves redirects to the client, so that keys are sent to no other address. */
async function send(parts: RelayParts, request: PassingRequest, body: PreparedRequest['body']): Promise<Response> {
  const { url, method, signal } = request;
  const headers = requestHeaders(request.headers);
  return parts.fetch(url, { method, headers, body, signal, redirect: 'manual' });
}

function keepPassingAnswer(response: Response, protocol: WireProtocol, answer: KeptAnswer | null): Response {
  if (answer === null) return passed(response);
  const reader = response.ok ? protocol.answerReader(response.headers.get('content-type') ?? '') : null;
  if (reader !== null && response.body !== null) {
    return passed(response, observed(response.body, answerObserver(answer, reader)));
  }
  void answer.failed();
  return passed(response);
}

/** The response without the headers of the connection. */
export function passed(response: Response, body = response.body): Response {
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers: answerHeaders(headers) });
}
