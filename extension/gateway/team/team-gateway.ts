import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { finished } from 'node:stream/promises';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { counted } from '../../engine/wording/counted';
import { FollowedBodies } from '../../middleware/wire/followed-bodies';
import { conversationHeader } from '../../middleware/wire/headers';
import { notifyOnce, type RelayParts } from '../../middleware/wire/relay-parts';
import { RequestQueue } from '../../middleware/wire/request-queue';
import { StreamedUsage } from '../../middleware/wire/streamed-usage';
import { encodedFetch } from '../../models/http/upstream-fetch';
import { addressOf, type Target, type Upstreams, upstreamUrl } from '../address';
import { tokenHeader } from '../admission';
import { forwardNoting, type SentContext } from '../forwarding';
import { checkedUpstreams, defaultTimeouts, type Timeouts } from '../gateway';
import type { BodyPace } from '../received-body';
import { busy, refusal } from '../refusal';
import { BodiesInFlight } from './in-flight';
import { hashOfToken, type Tenants } from './tenants';

/** A request that is over, for the log. Without query, headers and body, which may contain keys. */
export interface ServedRequest {
  /** Null if its token is none of a tenant. */
  readonly tenant: string | null;
  /** Its key, or its id if it has none; null if the request belongs to no conversation. */
  readonly conversation: string | null;
  readonly method: string;
  /** Without the token. */
  readonly path: string;
  readonly status: number;
  /** Null if Strata did not read it. */
  readonly sent: SentContext | null;
  /** Milliseconds until its answer ended. */
  readonly ms: number;
  /** False: the connection ended before the answer did. */
  readonly isWhole: boolean;
}

export interface TeamGatewayOptions extends Pick<RelayParts, 'keep' | 'windowOf' | 'notify' | 'whenItFails'> {
  /** Address to listen at. */
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  /** Asked for each request, so that a token ends as soon as it is taken out. */
  readonly tenants: () => Tenants;
  /** Room for all bodies in flight, in bytes. See `BodiesInFlight`. */
  readonly mostBytes: number;
  /** How fast each body has to come. Default: 8 kB a second after ten seconds. */
  readonly pace?: BodyPace;
  readonly upstreams?: Partial<Upstreams>;
  /** Rejects while the store cannot be reached. */
  readonly ready: () => Promise<unknown>;
  /** Number of conversations that go on in memory because the store failed. */
  readonly spared: () => number;
  readonly log?: (served: ServedRequest) => void;
}

/** In milliseconds. */
export interface Stopping {
  /** For which it still accepts requests, but is not ready: a balancer needs time to find out. */
  readonly drainMs: number;
  /** For which open requests are waited for, at most. */
  readonly graceMs: number;
}

export interface TeamGateway {
  readonly url: string;
  stop(stopping: Stopping): Promise<void>;
}

/** Slower than any connection that an agent can work with. */
const usualPace: BodyPace = { graceMs: 10_000, bytesPerSecond: 8_000 };

/** What came of a body takes room among those in flight, so it must not take for ever to come. */
const timeouts: Timeouts = { ...defaultTimeouts, requestTimeout: 300_000 };

/**
 * A server between the agents of several tenants and their providers. Whoever is in front of it does TLS. Throws
 * `GatewayNotStarted` for an invalid address of a provider.
 */
export async function startTeamGateway(options: TeamGatewayOptions): Promise<TeamGateway> {
  const upstreams = checkedUpstreams(options.upstreams);
  const inFlight = new BodiesInFlight(options.mostBytes);
  const notify = notifyOnce(options.notify);
  const { log = () => undefined, pace = usualPace } = options;
  let isStopping = false;
  let isDraining = false;

  const parts: RelayParts = {
    keep: options.keep,
    windowOf: options.windowOf,
    whenItFails: options.whenItFails ?? 'send',
    fetch: encodedFetch,
    keepsEncoding: true,
    notify,
    now: () => new Date().toISOString(),
    followed: new FollowedBodies(),
    usage: new StreamedUsage(),
    queue: new RequestQueue(),
  };

  async function answer({ request, bindings, target, scope }: Asked): Promise<Answered> {
    const { pathname, search } = new URL(request.url);
    if (scope === null)
      return unsent(refusal(pathname, 401, 'not-allowed', 'This token is none of this gateway of Strata.'));
    if (target.kind !== 'api')
      return unsent(refusal(pathname, 404, 'not-allowed', 'The gateway of Strata has nothing at this address.'));
    if (isStopping) {
      await discarded(bindings.incoming);
      return unsent(busy(pathname, 'The gateway of Strata is stopping. Try again.'));
    }
    const { take, leave } = inFlight.enter(scope);
    whenClosed(bindings.outgoing, leave);
    const url = upstreamUrl(upstreams, target.api, target.path, search);
    return await forwardNoting(parts, { url, request, ...bindings, scope, rules: { take, pace } });
  }

  const app = new Hono<{ Bindings: HttpBindings }>();
  app.get('/health', (context) => context.text('ok'));
  app.get('/ready', async (context) => {
    if (isStopping || isDraining) return context.text('stopping', 503);
    const isReached = await options.ready().then(
      () => true,
      () => false,
    );
    const spared = options.spared();
    const degraded = spared > 0 ? `degraded: ${counted(spared, 'conversation')} in memory, not in the store` : null;
    if (isReached) return context.text(degraded ?? 'ready');
    return context.text(['the store cannot be reached', ...(degraded ? [degraded] : [])].join('\n'), 503);
  });
  app.all('*', async ({ req: { raw: request }, env: bindings }) => {
    const began = performance.now();
    const { token, target } = addressOf(new URL(request.url).pathname);
    const scope = options.tenants().get(hashOfToken(token ?? request.headers.get(tokenHeader) ?? '')) ?? null;
    const { response, sent } = await answer({ request, bindings, target, scope });
    if (isStreamed(response)) response.headers.set('x-accel-buffering', 'no');
    if (isStopping || isDraining) response.headers.set('connection', 'close');
    const { outgoing } = bindings;
    whenClosed(outgoing, () =>
      log({
        tenant: scope,
        conversation: request.headers.get(conversationHeader) ?? sent?.conversation ?? null,
        method: request.method,
        path: target.kind === 'api' ? `/${target.api}${target.path}` : '/',
        status: response.status,
        sent,
        ms: Math.round(performance.now() - began),
        isWhole: outgoing.writableFinished,
      }),
    );
    return response;
  });
  app.onError((error, { req }) => {
    notify({ kind: 'failed', message: `A request failed in the gateway: ${error.message}` });
    return refusal(req.path, 502, 'failed', 'The gateway of Strata failed.');
  });

  const server = createAdaptorServer({
    fetch: app.fetch,
    overrideGlobalObjects: false,
    serverOptions: timeouts,
  }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    async stop({ drainMs, graceMs }) {
      isDraining = true;
      if (drainMs > 0) await new Promise((resolve) => setTimeout(resolve, drainMs));
      isStopping = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const sweep = setInterval(() => server.closeIdleConnections(), 100);
      const limit = setTimeout(() => server.closeAllConnections(), graceMs);
      await closed;
      clearInterval(sweep);
      clearTimeout(limit);
    },
  };
}

interface Asked {
  readonly request: Request;
  readonly bindings: HttpBindings;
  readonly target: Target;
  readonly scope: string | null;
}

interface Answered {
  readonly response: Response;
  readonly sent: SentContext | null;
}

function unsent(response: Response): Answered {
  return { response, sent: null };
}

/** Balancers hold back answers that they do not know to be streams; nginx asks this header. */
function isStreamed({ headers }: Response): boolean {
  return /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
}

/** Many clients see a broken connection instead of an answer that comes while they are still sending. */
async function discarded(incoming: IncomingMessage): Promise<void> {
  incoming.resume();
  // Rejects if the client is gone, and then nobody waits for the answer.
  await finished(incoming, { writable: false }).catch(() => undefined);
}

function whenClosed(outgoing: HttpBindings['outgoing'], then: () => void): void {
  if (outgoing.closed) then();
  else outgoing.once('close', then);
}
