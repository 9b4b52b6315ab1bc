import type { IncomingMessage } from 'node:http';
import { finished } from 'node:stream/promises';
import type { HttpBindings } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { counted } from '../engine/wording/counts';
import type { SentContext } from '../middleware/requests/recording';
import { conversationHeader } from '../middleware/wire/headers';
import type { RelayParts } from '../middleware/wire/relay-parts';
import { addressOf, type GatewayAddress, type Upstreams, upstreamUrl } from './address';
import type { Admit } from './admission';
import { whenClosed } from './forwarded-answer';
import { forward } from './forwarding';
import type { BodiesInFlight } from './in-flight';
import type { BodyPace } from './received-body';
import { busy, refusal } from './refusal';

/** A request whose answer has ended, for the log. Without query, headers and body, which may contain keys. */
export interface ServedRequest {
  /** Null if the request was refused, and in a gateway for one person. */
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

/** How a load balancer in front of several gateways checks this one. */
export interface Balancing {
  /** Rejects while the store cannot be reached. */
  readonly ready: () => Promise<unknown>;
  /** Number of conversations that continue in memory because the store failed. */
  readonly inMemory: () => number;
}

export interface AppOptions {
  readonly admit: Admit;
  readonly upstreams: Upstreams;
  readonly parts: RelayParts;
  readonly inFlight: BodiesInFlight;
  /** The minimum speed of a request body. Absent: it may take any time. */
  readonly pace?: BodyPace;
  /** How to configure agents, shown at the gateway's own address. Absent: nothing is shown there. */
  readonly instructions?: (origin: string) => string;
  /** Absent: there is no load balancer. */
  readonly balancing?: Balancing;
  readonly log: (served: ServedRequest) => void;
  /** Draining: it still accepts requests, but reports that it is not ready. */
  readonly phase: () => 'open' | 'draining' | 'stopping';
}

interface Variables {
  address: GatewayAddress;
  /** The tenant; null if there is only one person. */
  scope: string | null;
  sent: SentContext | null;
}

type Env = { Bindings: HttpBindings; Variables: Variables };
type Step = MiddlewareHandler<Env>;

/** The path of a request, from top to bottom. */
export function gatewayApp(options: AppOptions): Hono<Env> {
  const app = new Hono<Env>();
  const { balancing } = options;
  if (balancing) {
    app.get('/health', (context) => context.text('ok'));
    app.get('/ready', readiness(options, balancing));
  }
  app.use(logging(options), admission(options), openOnly(options), home(options));
  app.all('*', forwarding(options));
  app.onError((error, { req }) => {
    options.parts.notify({ kind: 'failed', message: `A request failed in the gateway: ${error.message}` });
    return refusal(req.path, 502, 'failed', 'The gateway of Strata failed.');
  });
  return app;
}

function readiness({ phase }: AppOptions, { ready, inMemory }: Balancing): Step {
  return async (context) => {
    if (phase() !== 'open') return context.text('stopping', 503);
    const isReached = await ready().then(
      () => true,
      () => false,
    );
    const count = inMemory();
    const degraded = count > 0 ? `degraded: ${counted(count, 'conversation')} in memory, not in the store` : null;
    if (isReached) return context.text(degraded ?? 'ready');
    return context.text(['the store cannot be reached', ...(degraded ? [degraded] : [])].join('\n'), 503);
  };
}

/** Logs each request when its answer has ended. */
function logging({ log, balancing, phase }: AppOptions): Step {
  return async (context, next) => {
    const began = performance.now();
    const address = addressOf(new URL(context.req.url).pathname);
    context.set('address', address);
    context.set('scope', null);
    context.set('sent', null);
    await next();
    const { req, env, res } = context;
    const { outgoing } = env;
    if (balancing && isStreamed(res)) res.headers.set('x-accel-buffering', 'no');
    if (phase() !== 'open') res.headers.set('connection', 'close');
    const sent = context.get('sent');
    const { target } = address;
    const served = {
      tenant: context.get('scope'),
      conversation: req.header(conversationHeader) ?? sent?.conversation ?? null,
      method: req.method,
      path: target.kind === 'api' ? `/${target.api}${target.path}` : '/',
      status: res.status,
      sent,
    };
    whenClosed(outgoing, () =>
      log({ ...served, ms: Math.round(performance.now() - began), isWhole: outgoing.writableFinished }),
    );
  };
}

function admission({ admit }: AppOptions): Step {
  return async (context, next) => {
    const { token } = context.get('address');
    const { host = '' } = context.env.incoming.headers;
    const admitted = admit({ headers: context.req.raw.headers, host, token });
    if (admitted.kind === 'refused') return refusal(context.req.path, admitted.status, 'not-allowed', admitted.message);
    context.set('scope', admitted.scope ?? null);
    return await next();
  };
}

function openOnly({ phase }: AppOptions): Step {
  return async (context, next) => {
    if (phase() !== 'stopping') return await next();
    await discarded(context.env.incoming);
    return busy(context.req.path, 'The gateway of Strata is stopping. Try again.');
  };
}

function home({ instructions, upstreams }: AppOptions): Step {
  return async (context, next) => {
    const { kind } = context.get('address').target;
    if (kind === 'api') return await next();
    if (kind === 'home' && instructions)
      return context.text(homeText(upstreams, instructions(new URL(context.req.url).origin)));
    return refusal(context.req.path, 404, 'not-allowed', 'The gateway of Strata has nothing at this address.');
  };
}

function homeText(upstreams: Upstreams, instructions: string): string {
  const lines = Object.entries(upstreams).map(([api, upstream]) => `${api}: ${new URL(upstream).host}`);
  return ['The gateway of Strata is running.', ...lines, '', instructions, ''].join('\n');
}

function forwarding({ upstreams, parts, inFlight, pace }: AppOptions): Step {
  return async (context) => {
    const { raw: request } = context.req;
    const { target } = context.get('address');
    if (target.kind !== 'api') throw new Error(`${target.kind} is not forwarded.`);
    const scope = context.get('scope');
    const { take, leave } = inFlight.enter(scope ?? '');
    whenClosed(context.env.outgoing, leave);
    const url = upstreamUrl(upstreams, target.api, target.path, new URL(request.url).search);
    const rules = { take, ...(pace ? { pace } : {}) };
    const onSent = (sent: SentContext) => context.set('sent', sent);
    return await forward(parts, { url, request, ...context.env, ...(scope === null ? {} : { scope }), rules, onSent });
  };
}

/** Proxies buffer answers that they do not know to be streams; nginx reads the header `x-accel-buffering`. */
function isStreamed({ headers }: Response): boolean {
  return /^text\/event-stream\b/i.test(headers.get('content-type') ?? '');
}

/** Many clients see a broken connection instead of an answer that arrives while they are still sending. */
async function discarded(incoming: IncomingMessage): Promise<void> {
  incoming.resume();
  // Rejects if the client has disconnected, and then no client waits for the answer.
  await finished(incoming, { writable: false }).catch(() => undefined);
}
