import { notCompacted } from '../middleware/requests/not-compacted';
import type { RequestIdentity } from '../middleware/requests/recording';
import { BodyBytes } from '../middleware/wire/body-bytes';
import { requestHeaders } from '../middleware/wire/headers';
import { protocolOf } from '../middleware/wire/protocols';
import { relay } from '../middleware/wire/relay';
import { type RelayParts, sendWith } from '../middleware/wire/relay-parts';
import { responseOf } from '../models/http/answer';
import { ScopeMissing } from './call-identity';
import { bytesOf, type FetchRequest } from './fetch-request';

export function asksForReply({ method, url }: FetchRequest): boolean {
  return method === 'POST' && protocolOf(url.pathname) !== null;
}

/** `send` sends the requests. `identity` throws `ScopeMissing` for a request that is sent unchanged. */
export async function relayed(
  parts: Omit<RelayParts, 'send'>,
  send: typeof fetch,
  { url, method, headers, signal, redirect, body: given, more }: FetchRequest,
  identity: () => RequestIdentity,
): Promise<Response> {
  // The caller's other options (credentials, redirections, a dispatcher) are kept.
  const sending: typeof fetch = (address, own) => send(address, { ...more, ...own, redirect });
  const body = await bytesOf(given);
  try {
    const passing = { url, method, headers, signal, body: body && new BodyBytes([body]), identity: identity() };
    return await relay({ ...parts, send: sendWith(sending) }, passing).then(responseOf);
  } catch (error) {
    if (!(error instanceof ScopeMissing)) throw error;
    if (parts.whenItFails === 'throw') throw notCompacted(error);
    parts.notify({ kind: 'failed', message: `A request was forwarded unchanged: ${error.message}` });
    return await sending(url, { method, headers: requestHeaders(headers), body, signal });
  }
}
