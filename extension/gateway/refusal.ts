import type { RefusalReason, WireProtocol } from '../middleware/wire/protocol';
import { protocolOf } from '../middleware/wire/protocols';

/** An error of the gateway in the format of the agent's provider. */
export function refusal(path: string, status: number, reason: RefusalReason, message: string): Response {
  const protocol = errorProtocolOf(path);
  const body = protocol ? protocol.error(reason, message) : { error: { message } };
  return Response.json(body, { status });
}

/** Seconds after which a client is to try again. */
const retrySeconds = '1';

/** The gateway cannot take a request now. */
export function busy(path: string, message: string): Response {
  const response = refusal(path, 503, 'failed', message);
  response.headers.set('retry-after', retrySeconds);
  return response;
}

export function bodyRefusal(path: string, because: 'too-slow' | 'no-room'): Response {
  if (because === 'no-room') return busy(path, 'The gateway of Strata has no room for the request. Try again.');
  const response = refusal(path, 408, 'failed', 'The body of the request came too slowly.');
  // The rest of the body is not read.
  response.headers.set('connection', 'close');
  return response;
}

/** The error format for a path; the API's default for unknown paths. */
function errorProtocolOf(path: string): WireProtocol | null {
  const ofApi = /\/anthropic(?:\/|$)/.test(path) ? '/v1/messages' : '/v1/chat/completions';
  return protocolOf(path) ?? protocolOf(ofApi);
}

/** Error message for a failed connection. Names only the host, because URLs may contain keys. */
export function unreachable(url: URL, error: unknown): string {
  return `${url.host} did not answer the gateway of Strata: ${reasonOf(error)}`;
}

/** `fetch` puts the reason into `cause`; for a host with several addresses there is one error for each. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
