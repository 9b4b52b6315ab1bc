import type { LongWork } from '../../engine/conversation/long-work';
import { wordingOf } from '../../engine/wording/localizable-text';
import { inSlices } from '../../sessions/files/in-slices';
import type { ReceivedConversation } from '../recognition/received-entries';
import { type Keeper, keepSaid } from '../requests/keep-said';
import type { AnswerKeeper } from '../requests/keeping';
import type { KeptAnswer } from '../requests/kept-answer';
import { notCompacted } from '../requests/not-compacted';
import { maxBodyBytes } from './body-limit';
import { continuedRequest, type ReadRequest } from './continued-request';
import type { PassingRequest, RelayParts } from './passing-request';
import type { BodyShape, WireProtocol } from './protocol';
import { readRequest } from './read-request';
import { unread } from './request-body';
import { textOf } from './text-of-body';
import { wholeRequest } from './whole-request';

/** The body to forward, and where to store the answer; null if the answer is not stored. */
export interface PreparedRequest {
  readonly body: Uint8Array<ArrayBuffer> | null;
  readonly answer: KeptAnswer | null;
  /** The model that is asked; null if the request was not read. */
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
  return parts.queue ? parts.queue.run(request.body?.byteLength ?? 0, work) : work();
}

async function prepare(parts: RelayParts, request: PassingRequest, protocol: WireProtocol): Promise<PreparedRequest> {
  const asItIs = { body: request.body, answer: null, model: null, lacksUsage: false };
  try {
    const { signal } = request;
    const reading = await inSlices(readingOf(parts, request, protocol), { signal });
    if (reading.kind === 'read') return await keepRequest(parts, request, reading.request);
    parts.notify({ kind: 'unread', message: `Requests are forwarded unchanged (${protocol.name}): ${reading.reason}` });
  } catch (error) {
    request.signal.throwIfAborted();
    if (parts.whenItFails === 'throw') throw notCompacted(error);
    parts.notify({ kind: 'failed', message: `A request was forwarded unchanged: ${wordingOf(error)}` });
  }
  return asItIs;
}

async function keepRequest(parts: RelayParts, request: PassingRequest, read: ReadRequest): Promise<PreparedRequest> {
  const { signal, identity } = request;
  const { providerSide, rewriting, known, lacksUsage = false, ...fields } = read;
  if (providerSide.length > 0) parts.notify({ kind: 'provider-side', message: providerSideMessage(providerSide) });
  const isCompactedElsewhere = providerSide.length > 0;
  function* receiving(time: string): LongWork<ReceivedConversation> {
    const received = yield* read.receiving(time);
    const followed = parts.followed && known(received);
    if (followed) parts.followed?.add(identity, followed);
    return received;
  }
  const said = { ...fields, receiving, isCompactedElsewhere, signal, identity };
  const { changed, answer } = await keepSaid(keeperOf(parts), said, rewriting);
  return { body: changed ?? request.body, answer, model: fields.model, lacksUsage };
}

/** Lives as long as the answer, so it must not hold what was read of the body: hence a function of its own. */
function keeperOf(parts: RelayParts): Keeper {
  const keep: Keeper['keep'] = async (request) => {
    const kept = await parts.keep(request);
    const { answer } = kept;
    if (answer === null) return kept;
    const { queue } = parts;
    const end: AnswerKeeper['end'] = (outcome) =>
      queue ? queue.runAfterRequests(() => answer.end(outcome)) : answer.end(outcome);
    return { ...kept, answer: { add: (piece) => answer.add(piece), end } };
  };
  return { ...parts, keep, notify: (message) => parts.notify({ kind: 'failed', message }) };
}

function providerSideMessage(fields: readonly string[]): string {
  return `The agent has its provider manage the context (${fields.join(', ')}), so nothing is compacted automatically.`;
}

type Reading =
  | { readonly kind: 'read'; readonly request: ReadRequest }
  | { readonly kind: 'unread'; readonly reason: string };

function* readingOf(parts: RelayParts, request: PassingRequest, protocol: WireProtocol): LongWork<Reading> {
  const { body, headers, identity } = request;
  if (body === null) return unread('There is no body.');
  if (body.byteLength > maxBodyBytes) return unread(`The body is larger than ${maxBodyBytes / 1024 / 1024} MB.`);
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') return unread(`The body is encoded (${encoding}).`);
  const { shape } = protocol;
  const continuing = parts.followed?.take(identity, shape, body) ?? null;
  const continued = continuing === null ? null : yield* continuedRequest(shape, body, continuing);
  return continued === null ? yield* wholeReading(shape, body) : { kind: 'read', request: continued };
}

function* wholeReading(shape: BodyShape, body: Uint8Array<ArrayBuffer>): LongWork<Reading> {
  const text = yield* textOf(body);
  if (text === null) return unread('The body is not text.');
  const reading = yield* readRequest(shape, text);
  return reading.kind === 'unread' ? reading : { kind: 'read', request: wholeRequest(body, shape, reading) };
}
