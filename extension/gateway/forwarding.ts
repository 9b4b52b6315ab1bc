import type { IncomingMessage, ServerResponse } from 'node:http';
import { requestHeaders } from '../middleware/wire/headers';
import type { RelayParts } from '../middleware/wire/passing-request';
import { passed, relay } from '../middleware/wire/relay';
import { tokenHeader } from './admission';
import { receivedBody } from './received-body';
import { refusal, unreachable } from './refusal';

/** What came in, and where it is to go. */
export interface Forwarding {
  readonly url: URL;
  readonly request: Request;
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** The provider's answer, or an error in its protocol where there is none. */
export async function forwarded(parts: RelayParts, forwarding: Forwarding): Promise<Response> {
  const { url, request, outgoing } = forwarding;
  const upstream = new URL(url);
  try {
    const answer = await answerOf(parts, forwarding);
    return new Response(answer.body && cutAlike(answer.body, outgoing), answer);
  } catch (error) {
    // Nobody is there to be told.
    if (request.signal.aborted) return new Response(null, { status: 499 });
    const message = unreachable(upstream, error);
    parts.notify({ kind: 'failed', message });
    return refusal(new URL(request.url).pathname, 502, 'unreachable', message);
  }
}

async function answerOf(parts: RelayParts, { url, request, incoming }: Forwarding): Promise<Response> {
  const { method, signal } = request;
  const headers = new Headers(request.headers);
  headers.delete(tokenHeader);
  const body = await receivedBody(incoming);
  if (body.kind !== 'long') {
    return await relay(parts, { url, method, headers, body: body.kind === 'whole' ? body.bytes : null, signal });
  }
  const passing = requestHeaders(headers);
  if (body.length !== null) passing.set('content-length', body.length);
  const init = { method, headers: passing, body: body.stream as ReadableStream, duplex: 'half' as const, signal };
  return passed(await parts.fetch(url, { ...init, redirect: 'manual' }));
}

/** An answer that breaks off upstream breaks off for the agent, too, where an end would look like the whole of it. */
function cutAlike(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read();
          if (done) controller.close();
          else controller.enqueue(value);
        } catch (error) {
          outgoing.destroy(error instanceof Error ? error : new Error(String(error)));
          controller.close();
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
