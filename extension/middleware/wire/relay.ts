import type { LongWork } from '../../engine/conversation/long-work';
import { wordingOf } from '../../engine/wording/localizable-text';
import { type Answer, discard, isSuccess } from '../../models/http/answer';
import { inSlices } from '../../platform/files/in-slices';
import type { ReceivedConversation } from '../recognition/received-entries';
import { notCompacted } from '../requests/not-compacted';
import type { PassingAnswer } from '../requests/passing-answer';
import { type Recorder, recordAndRewrite } from '../requests/record-request';
import { answerObserver, observed } from './answer-stream';
import type { BodyBytes } from './body-bytes';
import {
  arriving,
  decodedAnswer,
  decodingObserver,
  encodingOf,
  passingHeaders,
  readableEncodings,
  requestHeaders,
} from './headers';
import { ownModel } from './own-model';
import type { WireProtocol } from './protocol';
import { protocolOf } from './protocols';
import { begunAnswer } from './refused-answer';
import { maxBodyBytes, type PassingRequest, type RelayParts } from './relay-parts';
import { type Reading, type ReadRequest, readRequest, unread } from './request-reader';
import { type SentAnswer, withoutUsage } from './streamed-usage';

/**
 * Forwards a request with blocks in place of what they replace, and records it with its answer. The answer is returned byte
 * for byte. Rejects as `fetch` does, and with `NotCompacted`. A request that cannot be read or recorded is forwarded unchanged.
 *
 * The steps, in order: read the body, record the request, rewrite the body (`prepareRequest`); send it, and send a shorter one
 * if its provider says that it is too long (`sendPrepared`); record the answer while it passes (`passingAnswer`).
 */
export async function relay(parts: RelayParts, request: PassingRequest): Promise<Answer> {
  const protocol = request.method === 'POST' ? protocolOf(request.url.pathname) : null;
  if (protocol === null) return passed(await send(parts, request, request.body, requestHeaders(request.headers)));
  const prepared = await prepareRequest(parts, request, protocol);
  if (canBeTooLong(prepared)) return await sendUntilItFits(parts, request, protocol, prepared);
  const { answer } = prepared;
  // Not awaited here: an answer may take minutes, and the body must not stay in memory for that time.
  return answered(sendPrepared(parts, request, protocol, prepared), protocol, answer);
}

/** The body to forward, and where to record the answer; null if the answer is not recorded. */
export interface PreparedRequest {
  readonly body: BodyBytes | null;
  readonly answer: PassingAnswer | null;
  /** The model that is asked; null if the request was not recorded. */
  readonly model: string | null;
  /** See `BodyFields`. */
  readonly lacksUsage: boolean;
}

/** Rejects only if the request was aborted, and with `NotCompacted`. */
export function prepareRequest(
  parts: RelayParts,
  request: PassingRequest,
  protocol: WireProtocol,
): Promise<PreparedRequest> {
  const work = () => prepare(parts, request, protocol);
  return parts.queue ? parts.queue.run(request.body?.length ?? 0, work) : work();
}

async function prepare(parts: RelayParts, request: PassingRequest, protocol: WireProtocol): Promise<PreparedRequest> {
  const { body, signal } = request;
  try {
    const reading = await inSlices(readingOf(parts, request, protocol), { signal });
    if (reading.kind === 'read') return await recordRequest(parts, request, reading.request);
    parts.notify({ kind: 'unread', message: `Requests are forwarded unchanged (${protocol.name}): ${reading.reason}` });
  } catch (error) {
    signal.throwIfAborted();
    if (parts.whenItFails === 'throw') throw notCompacted(error);
    parts.notify({ kind: 'failed', message: `A request was forwarded unchanged: ${wordingOf(error)}` });
  }
  return { body, answer: null, model: null, lacksUsage: false };
}

function* readingOf(parts: RelayParts, request: PassingRequest, { shape }: WireProtocol): LongWork<Reading> {
  const { body, headers, identity } = request;
  if (body === null) return unread('There is no body.');
  if (body.length > maxBodyBytes) return unread(`The body is larger than ${maxBodyBytes / 1024 / 1024} MB.`);
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') return unread(`The body is encoded (${encoding}).`);
  return yield* readRequest(shape, body, parts.followed?.take(identity, shape, body) ?? null);
}

async function recordRequest(parts: RelayParts, request: PassingRequest, read: ReadRequest): Promise<PreparedRequest> {
  const { signal, identity } = request;
  const { model, system, tools, providerSide, lacksUsage = false } = read;
  const isCompactedByProvider = providerSide.length > 0;
  if (isCompactedByProvider) parts.notify({ kind: 'provider-side', message: providerSideMessage(providerSide) });
  function* receiving(time: string): LongWork<ReceivedConversation> {
    const received = yield* read.receiving(time);
    const known = parts.followed ? read.known(received) : null;
    if (known) parts.followed?.add(identity, known);
    return received;
  }
  const said = { model, system, tools, receiving, isCompactedByProvider, signal, identity };
  const { changed, answer, context } = await recordAndRewrite(recorderOf(parts), said, read.rewriting);
  if (context !== null) request.onSent?.(context);
  return { body: changed ?? request.body, answer, model, lacksUsage };
}

/** Lives as long as the answer, so it must not keep the parsed body in memory: hence a separate function. */
function recorderOf(parts: RelayParts): Recorder {
  return { ...parts, notify: (message) => parts.notify({ kind: 'failed', message }) };
}

function providerSideMessage(fields: readonly string[]): string {
  return `The agent has its provider manage the context (${fields.join(', ')}), so nothing is compacted automatically.`;
}

/** In bytes. Smaller requests always fit, so their bodies need not be kept until the answer begins. */
const surelyFits = 16 * 1024;

function canBeTooLong({ body, answer }: PreparedRequest): boolean {
  return answer !== null && body !== null && body.length > surelyFits;
}

/** Sends the request a second time, shorter, if its provider says that it is too long. */
async function sendUntilItFits(
  parts: RelayParts,
  request: PassingRequest,
  protocol: WireProtocol,
  prepared: PreparedRequest,
): Promise<Answer> {
  const { answer } = prepared;
  const { response: begun, addsUsage } = await failing(sendPrepared(parts, request, protocol, prepared), answer);
  const { response, tooLong } = await failing(begunAnswer(begun), answer);
  if (tooLong === null || answer === null) return passingAnswer({ response, addsUsage }, protocol, answer);
  if (!(await answer.refused(tooLong))) return passed(response);
  const shorter = await prepareRequest(parts, request, protocol);
  if ((shorter.body?.length ?? 0) >= (prepared.body?.length ?? 0)) {
    void shorter.answer?.failed();
    return passed(response);
  }
  discard(response);
  return await answered(sendPrepared(parts, request, protocol, shorter), protocol, shorter.answer);
}

/** Requests usage if that would calibrate the estimates. The model that answers may be asked for blocks afterwards. */
function sendPrepared(
  parts: RelayParts,
  request: PassingRequest,
  protocol: WireProtocol,
  { body, answer, model, lacksUsage }: PreparedRequest,
): Promise<SentAnswer> {
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

/** Does not keep the body in memory while the answer is awaited. */
function asSent(response: Answer): SentAnswer {
  return { response, addsUsage: false };
}

async function answered(
  sending: Promise<SentAnswer>,
  protocol: WireProtocol,
  answer: PassingAnswer | null,
): Promise<Answer> {
  return passingAnswer(await failing(sending, answer), protocol, answer);
}

/** Ends the answer if none arrives, or if it breaks off while its beginning is read. */
async function failing<Result>(coming: Promise<Result>, answer: PassingAnswer | null): Promise<Result> {
  try {
    return await coming;
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
): Promise<Answer> {
  const { url, method, signal } = request;
  const sending = parts.send(url, { method, headers, body: body?.parts ?? null, signal });
  return sending.then(arriving(parts, request.headers));
}

/** Asks for encodings that can be decoded here, because the answer is read while it passes. */
function headersToRead({ keepsEncoding }: RelayParts, { headers: received }: PassingRequest) {
  const headers = requestHeaders(received);
  if (keepsEncoding) headers['accept-encoding'] = readableEncodings(received.get('accept-encoding'));
  return headers;
}

/** The answer to the client, recorded while it passes. */
function passingAnswer(
  { response: sent, addsUsage }: SentAnswer,
  protocol: WireProtocol,
  answer: PassingAnswer | null,
): Answer {
  // A changed answer cannot stay encoded.
  const response = addsUsage ? decodedAnswer(sent) : sent;
  if (answer === null) return passed(response);
  const encoding = encodingOf(response.headers);
  const canBeRead = isSuccess(response) && encoding !== undefined;
  const reader = canBeRead ? protocol.answerReader(response.headers.get('content-type') ?? '') : null;
  if (reader === null || response.body === null) {
    void answer.failed();
    return passed(response);
  }
  const observer = answerObserver(answer, reader);
  const body = observed(response.body, encoding ? decodingObserver(observer, encoding) : observer);
  if (!addsUsage) return passed(response, body);
  const changed = passed(response, withoutUsage(body));
  changed.headers.delete('content-length');
  return changed;
}

/** The answer without the headers of the connection. */
export function passed(answer: Answer, body = answer.body): Answer {
  return { ...answer, body, headers: passingHeaders(answer.headers) };
}
