import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { toldOnce } from '../middleware/wire/notices';
import type { RelayParts } from '../middleware/wire/passing-request';
import { type Upstreams, usualUpstreams } from './address';
import { gatewayApp, type PassedRequest } from './app';
import { isToken, newToken } from './token';
import { upstreamFetch } from './upstream-fetch';

export interface GatewayOptions extends Omit<RelayParts, 'fetch' | 'now'> {
  /** Absent: one that needs nothing but Node. */
  readonly fetch?: typeof fetch;
  /** Absent: any that is free. */
  readonly port?: number;
  /** What an agent has to know; absent: a new one. Letters, digits, `-` and `_`, at least 16 of them. */
  readonly token?: string;
  readonly upstreams?: Partial<Upstreams>;
  readonly log?: (passed: PassedRequest) => void;
  readonly waiting?: Partial<Waiting>;
  /** ISO 8601; absent: the clock of this machine. */
  readonly now?: () => string;
}

export interface Gateway {
  /** Without the token, and without a slash at the end. */
  readonly url: string;
  readonly token: string;
  /** Breaks off what is on its way. */
  close(): Promise<void>;
}

/** The gateway cannot run so; the message says why. */
export class GatewayNotStarted extends Error {
  override name = 'GatewayNotStarted';

  constructor(
    readonly reason: 'options' | 'port-taken',
    message: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** How long agents are waited for, in milliseconds. Answers may take as long as they do. */
export interface Waiting {
  /** For the next request of a connection: agents keep them open between the turns of a person. */
  readonly keepAliveTimeout: number;
  /** For the head of a request. */
  readonly headersTimeout: number;
  /** For all of a request. A long body goes up no faster than the provider takes it. */
  readonly requestTimeout: number;
  /** How often it is looked after. */
  readonly connectionsCheckingInterval: number;
}

const usualWaiting: Waiting = {
  keepAliveTimeout: 120_000,
  headersTimeout: 60_000,
  requestTimeout: 3_600_000,
  connectionsCheckingInterval: 30_000,
};

const host = '127.0.0.1';

/**
 * An HTTP server on this machine alone, between agents and their providers. Throws `GatewayNotStarted` for a token or an
 * address that is none, and where the port is taken.
 */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { port = 0, token = newToken(), log = () => undefined } = options;
  if (!isToken(token)) throw refusedOption('A token is at least 16 letters, digits, hyphens or underscores.');
  if (port > 65_535) throw refusedOption(`There is no port ${port}.`);
  const upstreams = checked({ ...usualUpstreams, ...options.upstreams });
  const app = gatewayApp({ token, upstreams, parts: partsOf(options), log });
  const server = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    serverOptions: { ...usualWaiting, ...options.waiting },
  }) as Server;
  const taken = await listening(server, port);
  return { url: `http://${host}:${taken}`, token, close: () => closed(server) };
}

function partsOf({ keep, windowOf, fetch = upstreamFetch, notify, now = clock }: GatewayOptions): RelayParts {
  return { keep, windowOf, fetch, notify: toldOnce(notify), now };
}

function clock(): string {
  return new Date().toISOString();
}

function refusedOption(message: string): GatewayNotStarted {
  return new GatewayNotStarted('options', message);
}

function checked(upstreams: Upstreams): Upstreams {
  for (const address of Object.values(upstreams)) {
    const isWeb = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
    if (!isWeb) throw refusedOption(`"${address}" is no address of a provider.`);
    if (address.includes('#')) throw refusedOption(`"${address}" has a #, and what follows it is never sent.`);
  }
  return upstreams;
}

function listening(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const message = `The gateway cannot listen at port ${port}: ${error.message}`;
      reject(new GatewayNotStarted('port-taken', message, { cause: error }));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
