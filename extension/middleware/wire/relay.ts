import type { IncomingRequest, KeptRequest } from '../requests/kept-requests';

/** What the agent's developer, or who runs the gateway, should know. */
export interface Notice {
  readonly kind: 'provider-side' | 'unread' | 'failed';
  readonly message: string;
}

export interface RelayParts {
  readonly keep: (request: IncomingRequest) => Promise<KeptRequest>;
  /** Tokens; null where nobody says. */
  readonly windowOf: (model: string) => number | null;
  readonly fetch: typeof fetch;
  readonly notify: (notice: Notice) => void;
  /** ISO 8601. */
  readonly now: () => string;
}

/** A request on its way to a provider. */
export interface PassingRequest {
  /** Where it goes: the provider's own address. */
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer> | null;
  /** Aborted when whoever asked has gone away. */
  readonly signal: AbortSignal;
}

/**
 * Sends a request on, with blocks in the places of what they stand for, and keeps it together with its answer. The answer
 * passes as it comes, byte for byte. Rejects as `fetch` does; what cannot be read or kept passes as it is.
 */
export async function relay(_parts: RelayParts, _request: PassingRequest): Promise<Response> {
  throw new Error('not written yet');
}
