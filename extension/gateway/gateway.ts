import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { LocalizableError, type LocalizableText, localizable } from '../engine/wording/localizable-text';
import { FollowedBodies } from '../middleware/wire/followed-bodies';
import { notifyOnce, type RelayParts } from '../middleware/wire/relay-parts';
import { RequestQueue } from '../middleware/wire/request-queue';
import { StreamedUsage } from '../middleware/wire/streamed-usage';
import { encodedFetch } from '../models/http/upstream-fetch';
import { defaultUpstreams, type Upstreams } from './address';
import { gatewayApp, type PassedRequest } from './app';
import { isToken, newToken } from './token';

export interface GatewayOptions extends Pick<RelayParts, 'keep' | 'windowOf' | 'notify' | 'whenItFails'> {
  /** It decodes answers. Default: `encodedFetch`. */
  readonly fetch?: typeof fetch;
  /** Default: any free port. */
  readonly port?: number;
  /** Secret that agents must send: at least 16 letters, digits, `-` or `_`. Default: a new one. */
  readonly token?: string;
  readonly upstreams?: Partial<Upstreams>;
  readonly log?: (passed: PassedRequest) => void;
  readonly timeouts?: Partial<Timeouts>;
  /** ISO 8601. Default: the system clock. */
  readonly now?: () => string;
}

export interface Gateway {
  /** Without the token and without a trailing slash. */
  readonly url: string;
  readonly token: string;
  /** Aborts open requests. */
  close(): Promise<void>;
}

/** The gateway could not start; the message says why. */
export class GatewayNotStarted extends LocalizableError {
  override name = 'GatewayNotStarted';

  constructor(
    readonly reason: 'options' | 'port-taken',
    wording: LocalizableText,
    options?: ErrorOptions,
  ) {
    super(wording, options);
  }
}

/** Limits on agents' requests, in milliseconds. There is no limit on answers. */
export interface Timeouts {
  /** For the next request of a connection. Agents keep connections open between turns. */
  readonly keepAliveTimeout: number;
  /** For the headers of a request. */
  readonly headersTimeout: number;
  /** For a whole request. A long body is read no faster than the provider accepts it. */
  readonly requestTimeout: number;
  /** How often the limits are checked. */
  readonly connectionsCheckingInterval: number;
}

export const defaultTimeouts: Timeouts = {
  keepAliveTimeout: 120_000,
  headersTimeout: 60_000,
  requestTimeout: 3_600_000,
  connectionsCheckingInterval: 30_000,
};

const host = '127.0.0.1';

/**
 * Starts an HTTP server on the loopback interface between agents and their providers. Throws `GatewayNotStarted` for an
 * invalid token, port or provider URL, and if the port is in use.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { port = 0, token = newToken(), log = () => undefined } = options;
  if (!isToken(token))
    throw refusedOption(localizable('A token needs at least 16 letters, digits, hyphens or underscores.'));
  if (port > 65_535) throw refusedOption(localizable('There is no port {0}.', port));
  const upstreams = checkedUpstreams(options.upstreams);
  const app = gatewayApp({ token, upstreams, parts: partsOf(options), log });
  const server = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    serverOptions: { ...defaultTimeouts, ...options.timeouts },
  }) as Server;
  const taken = await listen(server, port);
  return { url: `http://${host}:${taken}`, token, close: () => closeServer(server) };
}

function partsOf({ keep, windowOf, fetch, notify, whenItFails = 'send', now = clock }: GatewayOptions): RelayParts {
  return {
    keep,
    windowOf,
    whenItFails,
    ...(fetch === undefined ? { fetch: encodedFetch, keepsEncoding: true } : { fetch }),
    notify: notifyOnce(notify),
    now,
    followed: new FollowedBodies(),
    usage: new StreamedUsage(),
    queue: new RequestQueue(),
  };
}

function clock(): string {
  return new Date().toISOString();
}

function refusedOption(wording: LocalizableText): GatewayNotStarted {
  return new GatewayNotStarted('options', wording);
}

/** Each provider's address, the usual one where none is given. Throws `GatewayNotStarted` for an invalid one. */
export function checkedUpstreams(given: Partial<Upstreams> = {}): Upstreams {
  const upstreams = { ...defaultUpstreams, ...given };
  for (const address of Object.values(upstreams)) {
    const isWeb = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
    if (!isWeb) throw refusedOption(localizable('"{0}" is not the address of a provider.', address));
    if (address.includes('#'))
      throw refusedOption(localizable('"{0}" has a #, and the part after it is never sent.', address));
  }
  return upstreams;
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const wording = localizable('The gateway cannot listen on port {0}: {1}', port, error.message);
      reject(new GatewayNotStarted('port-taken', wording, { cause: error }));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
