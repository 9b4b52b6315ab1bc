import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { LocalizableError, type LocalizableText, localizable } from '../engine/wording/localizable-text';
import { FollowedBodies } from '../middleware/wire/followed-bodies';
import { notifyOnce, type RelayParts, sendWith } from '../middleware/wire/relay-parts';
import { RequestQueue } from '../middleware/wire/request-queue';
import { StreamedUsage } from '../middleware/wire/streamed-usage';
import { encodedAnswer } from '../models/http/upstream-fetch';
import { defaultUpstreams, type Upstreams } from './address';
import { type AppOptions, gatewayApp, type ServedRequest } from './app';
import { ForwardedAnswer } from './forwarded-answer';
import { BodiesInFlight } from './in-flight';

/** The common options of all gateways: where to record requests, and where to report. */
export interface RecordingOptions extends Pick<RelayParts, 'keep' | 'windowOf' | 'notify' | 'whenItFails'> {
  readonly upstreams?: Partial<Upstreams>;
  readonly log?: (served: ServedRequest) => void;
  /** Must decode answers. Default: answers pass as they are encoded. */
  readonly fetch?: typeof fetch;
  /** ISO 8601. Default: the system clock. */
  readonly now?: () => string;
}

interface ServerOptions extends RecordingOptions, Pick<AppOptions, 'admit' | 'instructions' | 'pace' | 'balancing'> {
  /** Address to listen at. */
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Maximum total size of the bodies in progress, in bytes. See `BodiesInFlight`. Default: no limit. */
  readonly mostBytes?: number;
  readonly timeouts: Timeouts;
}

/** In milliseconds. */
interface Stopping {
  /** Time for which it still accepts requests but reports itself not ready, so that a load balancer notices. */
  readonly drainMs: number;
  /** Maximum time to wait for open requests and until their answers are recorded. Recording gets at least five seconds. */
  readonly graceMs: number;
}

export interface GatewayServer {
  /** Without a token and without a trailing slash. */
  readonly url: string;
  /** Resolves when the answers of its requests are recorded or the grace is over. A notice says how many were not recorded. */
  stop(stopping: Stopping): Promise<void>;
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
  /** For a whole request. A long body is read only as fast as the provider accepts it. */
  readonly requestTimeout: number;
  /** How often the limits are checked. */
  readonly connectionsCheckingInterval: number;
}

/** Throws `GatewayNotStarted` for an invalid port or provider URL, and if the port is in use. */
export async function startServer(options: ServerOptions): Promise<GatewayServer> {
  const { host, port, mostBytes = Number.POSITIVE_INFINITY, log = () => undefined } = options;
  if (port > 65_535) throw refusedOption(localizable('There is no port {0}.', port));
  const upstreams = checkedUpstreams(options.upstreams);
  const queue = new RequestQueue();
  const parts = partsOf(options, queue);
  let phase: 'open' | 'draining' | 'stopping' = 'open';
  const { admit, instructions, pace, balancing } = options;
  const app = gatewayApp({
    ...{ admit, upstreams, parts, log, phase: () => phase, inFlight: new BodiesInFlight(mostBytes) },
    ...(instructions ? { instructions } : {}),
    ...(pace ? { pace } : {}),
    ...(balancing ? { balancing } : {}),
  });
  const server = createAdaptorServer({
    fetch: async (request, bindings) => answered(await app.fetch(request, bindings)),
    overrideGlobalObjects: false,
    serverOptions: options.timeouts,
  }) as Server;
  const usedPort = await listen(server, host, port);
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${usedPort}`,
    async stop({ drainMs, graceMs }) {
      phase = 'draining';
      if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs));
      phase = 'stopping';
      const until = performance.now() + graceMs;
      await closeServer(server, graceMs);
      const left = await queue.answersRecorded(Math.max(until - performance.now(), leastRecordingMs));
      if (left > 0) parts.notify({ kind: 'failed', message: leftMessage(left) });
    },
  };
}

/** `@hono/node-server` would send the headers and each piece separately. */
function answered(answer: Response): Response {
  if (!(answer instanceof ForwardedAnswer)) return answer;
  answer.send();
  return RESPONSE_ALREADY_SENT;
}

function partsOf(
  { fetch, whenItFails = 'send', now = clock, ...options }: ServerOptions,
  queue: RequestQueue,
): RelayParts {
  const { keep, windowOf, notify } = options;
  return {
    keep,
    windowOf,
    whenItFails,
    ...(fetch === undefined ? { send: encodedAnswer, keepsEncoding: true } : { send: sendWith(fetch) }),
    notify: notifyOnce(notify),
    now,
    followed: new FollowedBodies(),
    usage: new StreamedUsage(),
    queue,
  };
}

function clock(): string {
  return new Date().toISOString();
}

export function refusedOption(wording: LocalizableText): GatewayNotStarted {
  return new GatewayNotStarted('options', wording);
}

/** Each provider's address, the usual one where none is given. */
function checkedUpstreams(given: Partial<Upstreams> = {}): Upstreams {
  const upstreams = { ...defaultUpstreams, ...given };
  for (const address of Object.values(upstreams)) {
    const isWeb = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
    if (!isWeb) throw refusedOption(localizable('"{0}" is not the address of a provider.', address));
    if (address.includes('#'))
      throw refusedOption(localizable('"{0}" has a #, and the part after it is never sent.', address));
  }
  return upstreams;
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const wording = localizable('The gateway cannot listen on port {0}: {1}', port, error.message);
      reject(new GatewayNotStarted('port-taken', wording, { cause: error }));
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/** Minimum time to wait until answers are recorded, in milliseconds. Stores need some of it even if nothing else is waited for. */
const leastRecordingMs = 5_000;

function leftMessage(count: number): string {
  return String(localizable('The gateway stopped before all answers were recorded. Not recorded: {0}.', count));
}

/** How often connections that became idle are closed, in milliseconds. */
const sweepMs = 100;

async function closeServer(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  if (graceMs === 0) server.closeAllConnections();
  const sweep = setInterval(() => server.closeIdleConnections(), sweepMs);
  const limit = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(sweep);
  clearTimeout(limit);
}
