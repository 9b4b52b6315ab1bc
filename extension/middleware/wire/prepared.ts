import { failureText } from '../requests/failure-text';
import { keepSaid } from '../requests/keep-said';
import type { KeptAnswer } from '../requests/kept-answer';
import type { PassingRequest, RelayParts } from './passing-request';
import type { WireProtocol, WireReading, WireRequest } from './protocol';
import { unread } from './request-body';

/** A request as it goes on, and the place of its answer; null where that is not kept. */
export interface PreparedRequest {
  readonly body: Uint8Array<ArrayBuffer> | null;
  readonly answer: KeptAnswer | null;
}

/** What is larger passes unread: no model takes so much. In bytes. */
const longestBody = 64 * 1024 * 1024;

/** Rejects only where the request was aborted. */
export async function prepared(
  parts: RelayParts,
  request: PassingRequest,
  protocol: WireProtocol,
): Promise<PreparedRequest> {
  const asItIs = { body: request.body, answer: null };
  try {
    const reading = readingOf(request, protocol);
    if (reading.kind === 'request') return await kept(parts, request, reading.request);
    parts.notify({ kind: 'unread', message: `Requests pass as they are (${protocol.name}): ${reading.reason}` });
  } catch (error) {
    request.signal.throwIfAborted();
    parts.notify({ kind: 'failed', message: `A request was passed on as it is: ${failureText(error)}` });
  }
  return asItIs;
}

async function kept(parts: RelayParts, request: PassingRequest, read: WireRequest): Promise<PreparedRequest> {
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

function readingOf({ body, headers }: PassingRequest, protocol: WireProtocol): WireReading {
  if (body === null) return unread('There is no body.');
  if (body.byteLength > longestBody) return unread(`The body is larger than ${longestBody / 1024 / 1024} MB.`);
  const encoding = headers.get('content-encoding') ?? 'identity';
  if (encoding.toLowerCase() !== 'identity') return unread(`The body is encoded (${encoding}).`);
  const text = textOf(body);
  return text === null ? unread('The body is no text.') : protocol.read(text);
}

function textOf(body: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    return null;
  }
}
