import type { LongWork } from '../../engine/conversation/long-work';
import { wordingOf } from '../../engine/wording/localizable-text';
import { inSlices, sliceCost } from '../../sessions/files/in-slices';
import { keepSaid } from '../requests/keep-said';
import type { KeptAnswer } from '../requests/kept-answer';
import type { PassingRequest, RelayParts } from './passing-request';
import type { WireProtocol, WireReading, WireRequest } from './protocol';
import { unread } from './request-body';

/** The body to forward, and where to store the answer; null if the answer is not stored. */
export interface PreparedRequest {
  readonly body: Uint8Array<ArrayBuffer> | null;
  readonly answer: KeptAnswer | null;
}

/** Larger bodies are forwarded unread, because no model accepts them. */
const maxBodyBytes = 64 * 1024 * 1024;

/** Rejects only if the request was aborted. */
export async function prepareRequest(
  parts: RelayParts,
  request: PassingRequest,
  protocol: WireProtocol,
): Promise<PreparedRequest> {
  const asItIs = { body: request.body, answer: null };
  try {
    const { signal } = request;
    const reading = await inSlices(readingOf(request, protocol), { signal });
    if (reading.kind === 'request') return await keepRequest(parts, request, reading.request);
    parts.notify({ kind: 'unread', message: `Requests are forwarded unchanged (${protocol.name}): ${reading.reason}` });
  } catch (error) {
    request.signal.throwIfAborted();
    parts.notify({ kind: 'failed', message: `A request was forwarded unchanged: ${wordingOf(error)}` });
  }
  return asItIs;
}

async function keepRequest(parts: RelayParts, request: PassingRequest, read: WireRequest): Promise<PreparedRequest> {
  const { providerSide, rewritten, ...said } = read;
  if (providerSide.length > 0) parts.notify({ kind: 'provider-side', message: providerSideMessage(providerSide) });
  const isCompactedElsewhere = providerSide.length > 0;
  const keeper = { ...parts, notify: (message: string) => parts.notify({ kind: 'failed', message }) };
  const { changed, answer } = await keepSaid(
    keeper,
    { ...said, isCompactedElsewhere, signal: request.signal },
    rewritten,
  );
  return { body: changed === null ? request.body : new TextEncoder().encode(changed), answer };
}

function providerSideMessage(fields: readonly string[]): string {
  return `The agent has its provider manage the context (${fields.join(', ')}), so nothing is compacted automatically.`;
}

function* readingOf({ body, headers }: PassingRequest, protocol: WireProtocol): LongWork<WireReading> {
  if (body === null) return unread('There is no body.');
  if (body.byteLength > maxBodyBytes) return unread(`The body is larger than ${maxBodyBytes / 1024 / 1024} MB.`);
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') return unread(`The body is encoded (${encoding}).`);
  const text = yield* textOf(body);
  return text === null ? unread('The body is not text.') : yield* protocol.read(text);
}

function* textOf(body: Uint8Array): LongWork<string | null> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  try {
    for (let start = 0; start < body.length; start += sliceCost) {
      const bytes = body.subarray(start, start + sliceCost);
      text += decoder.decode(bytes, { stream: true });
      yield bytes.length;
    }
    return text + decoder.decode();
  } catch {
    return null;
  }
}
