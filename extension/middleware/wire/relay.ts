import type { KeptAnswer } from '../requests/kept-answer';
import { answerObserver } from './answer-observer';
import { arriving, decodedAnswer, decodingObserver, encodingOf, readableEncodings } from './encoded-answers';
import { passingHeaders, requestHeaders } from './headers';
import { observed } from './observed';
import { ownModel } from './own-model';
import type { PassingRequest, RelayParts } from './passing-request';
import { type PreparedRequest, prepareRequest } from './prepared';
import type { WireProtocol } from './protocol';
import { protocolOf } from './protocols';
import { begunAnswer } from './refused-answer';
import { type SentRequest, withoutUsage } from './streamed-usage';

/**
 * Forwards a request with blocks in place of what they replace, and stores it with its answer. The answer is returned
 * byte for byte. Rejects as `fetch` does. A request that cannot be read or stored is forwarded unchanged.
 */
export async function relay(parts: RelayParts, request: PassingRequest): Promise<Response> {
  const protocol = request.method === 'POST' ? protocolOf(request.url.pathname) : null;
  if (protocol === null) return passed(await send(parts, request, request.body, requestHeaders(request.headers)));
  const prepared = await prepareRequest(parts, request, protocol);
  if (canBeTooLong(prepared)) return await sentUntilItFits(parts, request, protocol, prepared);
  const { answer } = prepared;
  // Not awaited here: an answer may take minutes, in which nothing must hold the body.
  return keptPassing(sent(parts, request, protocol, prepared), protocol, answer);
}

/** In bytes. Smaller requests fit, so their bodies need not be held until the answer begins. */
const surelyFits = 16 * 1024;

function canBeTooLong({ body, answer }: PreparedRequest): boolean {
  return answer !== null && body !== null && body.byteLength > surelyFits;
}

/** Sends the request once more, shorter, if its provider says that it is too long. */
async function sentUntilItFits(
  parts: RelayParts,
  request: PassingRequest,
  protocol: WireProtocol,
  prepared: PreparedRequest,
): Promise<Response> {
  const { answer } = prepared;
  const { response: begun, addsUsage } = await failing(sent(parts, request, protocol, prepared), answer);
  const { response, tooLong } = await begunAnswer(begun);
  if (tooLong === null || answer === null) return keepPassingAnswer({ response, addsUsage }, protocol, answer);
  if (!(await answer.refused(tooLong))) return passed(response);
  const shorter = await prepareRequest(parts, request, protocol);
  if ((shorter.body?.byteLength ?? 0) >= (prepared.body?.byteLength ?? 0)) {
    void shorter.answer?.failed();
    return passed(response);
  }
  void response.body?.cancel();
  return await keptPassing(sent(parts, request, protocol, shorter), protocol, shorter.answer);
}

function sent(
  parts: RelayParts,
  request: PassingRequest,
  protocol: WireProtocol,
  { body, answer, model, lacksUsage }: PreparedRequest,
): Promise<SentRequest> {
  if (answer?.wantsOwnModel && body !== null && model !== null) {
    const sendAgain = async (asked: typeof body, signal: AbortSignal) =>
      decodedAnswer(await send(parts, { ...request, signal }, asked));
    answer.writesWith((isCached) => ownModel({ body, model, protocol, send: sendAgain }, isCached));
  }
  const { usage } = parts;
  const sending = (given: typeof body) => send(parts, request, given);
  if (usage && lacksUsage && answer?.wantsUsage && body !== null) return usage.sent(request.url, body, sending);
  return sending(body).then(asSent);
}

/** Does not hold the body while the answer is awaited. */
function asSent(response: Response): SentRequest {
  return { response, addsUsage: false };
}

async function keptPassing(
  sending: Promise<SentRequest>,
  protocol: WireProtocol,
  answer: KeptAnswer | null,
): Promise<Response> {
  return keepPassingAnswer(await failing(sending, answer), protocol, answer);
}

async function failing(sending: Promise<SentRequest>, answer: KeptAnswer | null): Promise<SentRequest> {
  try {
    return await sending;
  } catch (error) {
    void answer?.failed();
    throw error;
  }
}

/** Leaves redirects to the client, so that keys are sent to no other address. */
async function send(
  parts: RelayParts,
  request: PassingRequest,
  body: PreparedRequest['body'],
  headers = headersToRead(parts, request),
): Promise<Response> {
  const { url, method, signal } = request;
  const sending = parts.fetch(url, { method, headers, body, signal, redirect: 'manual' });
  return sending.then(arriving(parts, request.headers));
}

/** Their answer is read while it passes. */
function headersToRead({ keepsEncoding }: RelayParts, { headers: received }: PassingRequest): Headers {
  const headers = requestHeaders(received);
  if (keepsEncoding) headers.set('accept-encoding', readableEncodings(received.get('accept-encoding')));
  return headers;
}

function keepPassingAnswer(
  { response: sent, addsUsage }: SentRequest,
  protocol: WireProtocol,
  answer: KeptAnswer | null,
): Response {
  // What is changed cannot stay encoded.
  const response = addsUsage ? decodedAnswer(sent) : sent;
  const encoding = encodingOf(response.headers);
  if (answer === null) return passed(response);
  const reader =
    response.ok && encoding !== undefined ? protocol.answerReader(response.headers.get('content-type') ?? '') : null;
  if (reader !== null && response.body !== null) {
    const observer = answerObserver(answer, reader);
    const body = observed(response.body, encoding ? decodingObserver(observer, encoding) : observer);
    return passed(response, addsUsage ? withoutUsage(body) : body);
  }
  void answer.failed();
  return passed(response);
}

/** The response without the headers of the connection. */
export function passed(response: Response, body = response.body): Response {
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers: passingHeaders(headers) });
}
