import type { IncomingMessage, ServerResponse } from 'node:http';
import { NotCompacted } from '../middleware/requests/not-compacted';
import type { SentContext } from '../middleware/requests/recording';
import { arriving, headerIdentity, requestHeaders } from '../middleware/wire/headers';
import { passed, relay } from '../middleware/wire/relay';
import type { RelayParts } from '../middleware/wire/relay-parts';
import { type Answer, headersFrom } from '../models/http/answer';
import { tokenHeader } from './admission';
import { ForwardedAnswer } from './forwarded-answer';
import { BodyRefused, type BodyRules, receivedBody } from './received-body';
import { bodyRefusal, busy, refusal, unreachable } from './refusal';

/** A request and the URL to forward it to. */
interface Forwarding {
  readonly url: URL;
  readonly request: Request;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  /** The tenant. Absent: there is only one. */
  readonly scope?: string;
  /** Absent: the default limits of `receivedBody`. */
  readonly rules?: BodyRules;
  readonly onSent: (context: SentContext) => void;
}

/** Forwards a request. Answers with the provider's response, or with an error in the provider's format. */
export async function forward(parts: RelayParts, forwarding: Forwarding): Promise<Response> {
  const { url, request, outgoing } = forwarding;
  try {
    const answer = await sendUpstream(parts, forwarding);
    return new ForwardedAnswer(answer, outgoing);
  } catch (error) {
    // The client is gone.
    if (request.signal.aborted) return new Response(null, { status: 499 });
    if (error instanceof BodyRefused) return bodyRefusal(new URL(request.url).pathname, error.because);
    const message = error instanceof NotCompacted ? error.message : unreachable(url, error);
    parts.notify({ kind: 'failed', message });
    const path = new URL(request.url).pathname;
    if (!(error instanceof NotCompacted)) return refusal(path, 502, 'unreachable', message);
    // Clients repeat a request that was answered with 5xx, and a request that is too large would be refused each time.
    return error.reason === 'too-large' ? refusal(path, 413, 'too-large', message) : busy(path, message);
  }
}

async function sendUpstream(
  parts: RelayParts,
  { url, request, incoming, scope, rules, onSent }: Forwarding,
): Promise<Answer> {
  const { method, signal } = request;
  const headers = headersFrom(incoming.rawHeaders);
  headers.delete(tokenHeader);
  const identity = headerIdentity(headers, scope);
  const body = await receivedBody(incoming, rules, (length) => parts.followed?.longEnough(identity, length) ?? []);
  if (body.kind !== 'long') {
    // Not awaited here, so that the body is not kept in memory meanwhile.
    return relay(parts, {
      url,
      method,
      headers,
      body: body.kind === 'whole' ? body.bytes : null,
      identity,
      signal,
      onSent,
    });
  }
  const passing = { ...requestHeaders(headers), ...(body.length === null ? {} : { 'content-length': body.length }) };
  try {
    const answer = await parts.send(url, { method, headers: passing, body: body.stream, signal });
    return passed(arriving(parts, headers)(answer));
  } catch (error) {
    throw body.refused() ?? error;
  }
}
