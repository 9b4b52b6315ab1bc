import { type Answer, answerOf, type SentRequest } from '../../models/http/answer';
import type { WhenItFails } from '../requests/not-compacted';
import type { IncomingRequest, RecordedRequest, RequestIdentity, SentContext } from '../requests/recording';
import { type BodyBytes, joined } from './body-bytes';
import type { FollowedBodies } from './followed-bodies';
import type { RequestQueue } from './request-queue';
import type { StreamedUsage } from './streamed-usage';

/** Sends a request to a provider. Follows no redirects. Rejects as `fetch` does. */
export type Send = (url: URL, request: SentRequest) => Promise<Answer>;

/** Does not keep the request in memory while the answer is awaited. */
export function sendWith(fetch: typeof globalThis.fetch): Send {
  return (url, { body: parts, ...request }) => {
    const body = parts instanceof ReadableStream ? { body: parts, duplex: 'half' } : { body: parts && joined(parts) };
    return fetch(url, { ...request, ...body, redirect: 'manual' }).then(answerOf);
  };
}

export interface RelayParts {
  readonly keep: (request: IncomingRequest) => Promise<RecordedRequest>;
  /** Context window in tokens; null if unknown. */
  readonly windowOf: (model: string) => number | null;
  readonly send: Send;
  /** `send` leaves encoded answers as they are, and they reach the client that way. Absent: it decodes them. */
  readonly keepsEncoding?: boolean;
  /** Called for every request; use `notifyOnce` to suppress repetitions. */
  readonly notify: (notice: Notice) => void;
  /** ISO 8601. */
  readonly now: () => string;
  /** Whether a request that cannot be recorded is sent. Absent: it is. */
  readonly whenItFails?: WhenItFails;
  /** Bodies whose continuations are read from their end. Absent: each body is read as a whole. */
  readonly followed?: FollowedBodies;
  /** Adds a request for usage if the client does not ask for it. Absent: nothing is added. */
  readonly usage?: StreamedUsage;
  /** Requests and answers that are to be stored. Absent: all at once. */
  readonly queue?: RequestQueue;
}

/** A request to forward to a provider. */
export interface PassingRequest {
  /** The provider's URL. */
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: BodyBytes | null;
  readonly identity: RequestIdentity;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Called with what the model is sent, each time that the request was recorded. */
  readonly onSent?: (context: SentContext) => void;
}

/** A message for the agent's developer or the person who runs the gateway. */
export interface Notice {
  readonly kind: 'provider-side' | 'unread' | 'failed';
  readonly message: string;
}

/** Suppresses repeated notices, because agents repeat their requests. Failures are always reported. */
export function notifyOnce(notify: (notice: Notice) => void): (notice: Notice) => void {
  const reported = new Set<string>();
  return (notice) => {
    if (notice.kind === 'failed') return notify(notice);
    const known = reported.has(notice.message);
    reported.add(notice.message);
    if (!known) notify(notice);
  };
}

/**
 * Maximum bytes of a request, and UTF-16 units of an answer, that are read. Larger ones are forwarded unread, because no model accepts
 * them.
 */
export const maxBodyBytes = 64 * 1024 * 1024;
