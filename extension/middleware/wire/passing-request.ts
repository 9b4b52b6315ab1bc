import type { IncomingRequest, KeptRequest } from '../requests/keeping';
import type { Notice } from './notices';

export interface RelayParts {
  readonly keep: (request: IncomingRequest) => Promise<KeptRequest>;
  /** Tokens; null where nobody says. */
  readonly windowOf: (model: string) => number | null;
  readonly fetch: typeof fetch;
  /** Hears of each request; `toldOnce` makes once of it. */
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
