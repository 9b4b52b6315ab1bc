import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { FollowedBodies } from '../../middleware/wire/followed-bodies';
import { notifyOnce } from '../../middleware/wire/notices';
import type { RelayParts } from '../../middleware/wire/passing-request';
import { RequestQueue } from '../../middleware/wire/request-queue';
import { upstreamFetch } from '../../models/http/upstream-fetch';
import { addressOf, defaultUpstreams, type Upstreams, upstreamUrl } from '../address';
import { tokenHeader } from '../admission';
import { forward } from '../forwarding';
import { refusal } from '../refusal';
import { BodiesInFlight } from './in-flight';
import { hashOfToken, type Tenants } from './tenants';

export interface TeamGatewayOptions extends Pick<RelayParts, 'keep' | 'windowOf' | 'notify'> {
  /** Address to listen at. */
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly tenants: Tenants;
  /** Maximum size of all bodies in flight, in bytes. */
  readonly mostBytes: number;
  readonly upstreams?: Partial<Upstreams>;
  /** Rejects while the store cannot be reached. */
  readonly ready: () => Promise<unknown>;
}

export interface TeamGateway {
  readonly url: string;
  /** Accepts nothing new, and waits for open requests at most this long, in milliseconds. */
  stop(graceMs: number): Promise<void>;
}

/** Seconds after which a client is to try again. */
const retrySeconds = '1';

/** A server between the agents of several tenants and their providers. Whoever is in front of it does TLS. */
export async function startTeamGateway(options: TeamGatewayOptions): Promise<TeamGateway> {
  const upstreams = { ...defaultUpstreams, ...options.upstreams };
  const inFlight = new BodiesInFlight(options.mostBytes);
  const notify = notifyOnce(options.notify);
  let isStopping = false;

  const parts: RelayParts = {
    keep: options.keep,
    windowOf: options.windowOf,
    fetch: upstreamFetch,
    notify,
    now: () => new Date().toISOString(),
    followed: new FollowedBodies(),
    queue: new RequestQueue(),
  };

  const app = new Hono<{ Bindings: HttpBindings }>();
  app.get('/health', (context) => context.text('ok'));
  app.get('/ready', async (context) => {
    if (isStopping) return context.text('stopping', 503);
    try {
      await options.ready();
      return context.text('ready');
    } catch {
      return context.text('the store cannot be reached', 503);
    }
  });
  app.all('*', async ({ req: { raw: request }, env: bindings }) => {
    const { pathname, search } = new URL(request.url);
    const { token, target } = addressOf(pathname);
    const scope = options.tenants.get(hashOfToken(token ?? request.headers.get(tokenHeader) ?? ''));
    if (scope === undefined)
      return refusal(pathname, 401, 'not-allowed', 'This token is none of this gateway of Strata.');
    if (target.kind !== 'api')
      return refusal(pathname, 404, 'not-allowed', 'The gateway of Strata has nothing at this address.');
    const leave = isStopping ? null : inFlight.enter(bindings.incoming);
    if (leave === null) {
      const busy = refusal(pathname, 503, 'failed', 'The gateway of Strata is busy or stopping. Try again.');
      busy.headers.set('retry-after', retrySeconds);
      return busy;
    }
    bindings.outgoing.once('close', leave);
    const url = upstreamUrl(upstreams, target.api, target.path, search);
    return await forward(parts, { url, request, ...bindings, scope });
  });
  app.onError((error, { req }) => {
    notify({ kind: 'failed', message: `A request failed in the gateway: ${error.message}` });
    return refusal(req.path, 502, 'failed', 'The gateway of Strata failed.');
  });

  const server = createAdaptorServer({ fetch: app.fetch, overrideGlobalObjects: false }) as Server;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${options.host.includes(':') ? `[${options.host}]` : options.host}:${port}`,
    async stop(graceMs) {
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
