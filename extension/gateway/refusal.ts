import type { RefusalReason, WireProtocol } from '../middleware/wire/protocol';
import { protocolOf } from '../middleware/wire/protocols';

/** An error of the gateway's own, as the agent's provider would write it. */
export function refusal(path: string, status: number, reason: RefusalReason, message: string): Response {
  const protocol = speakerOf(path);
  const body = protocol ? protocol.error(reason, message) : { error: { message } };
  return Response.json(body, { status });
}

/** Other paths of an API have its errors, too. */
function speakerOf(path: string): WireProtocol | null {
  const ofApi = /\/anthropic(?:\/|$)/.test(path) ? '/v1/messages' : '/v1/chat/completions';
  return protocolOf(path) ?? protocolOf(ofApi);
}

/** What went wrong on the way to a provider. Names its host alone: addresses may have keys in them. */
export function unreachable(url: URL, error: unknown): string {
  return `${url.host} did not answer the gateway of Strata: ${reasonOf(error)}`;
}

/** `fetch` has the reason in the cause; several addresses of one host have one each. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? reasonOf(error.cause) : error.message;
}
