import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import type { RelayParts } from '../middleware/wire/relay-parts';
import { addressOf, type GatewayAddress, type Upstreams, upstreamUrl } from './address';
import { admissionOf } from './admission';
import { forwardNoting, type SentContext } from './forwarding';
import { instructionsText } from './instructions';
import { refusal } from './refusal';

/** A forwarded request, for the log. Without query, headers and body, which may contain keys. */
export interface PassedRequest {
  readonly method: string;
  /** Without the token. */
  readonly path: string;
  readonly status: number;
  /** Null if Strata did not read it. */
  readonly sent: SentContext | null;
}

export interface AppOptions {
  readonly token: string;
  readonly upstreams: Upstreams;
  readonly parts: RelayParts;
  readonly log: (passed: PassedRequest) => void;
}

interface Asked {
  readonly request: Request;
  readonly bindings: HttpBindings;
  readonly address: GatewayAddress;
}

export function gatewayApp(options: AppOptions): Hono<{ Bindings: HttpBindings }> {
  const app = new Hono<{ Bindings: HttpBindings }>();
  app.all('*', async ({ req: { raw: request }, env: bindings }) => {
    const address = addressOf(new URL(request.url).pathname);
    return await answer(options, { request, bindings, address });
  });
  app.onError((error, { req }) => {
    options.parts.notify({ kind: 'failed', message: `A request failed in the gateway: ${error.message}` });
    return refusal(req.path, 502, 'failed', `The gateway of Strata failed: ${error.message}`);
  });
  return app;
}

async function answer(options: AppOptions, asked: Asked): Promise<Response> {
  const { request, bindings, address } = asked;
  const { headers } = request;
  const caller = { headers, host: bindings.incoming.headers.host ?? '', token: address.token };
  const admission = admissionOf(caller, options.token);
  const { pathname } = new URL(request.url);
  if (admission.kind === 'refused') return refusal(pathname, admission.status, 'not-allowed', admission.message);
  switch (address.target.kind) {
    case 'home':
      return new Response(homeText(options, new URL(request.url).origin));
    case 'unknown':
      return refusal(pathname, 404, 'not-allowed', 'The gateway of Strata has nothing at this address.');
    case 'api':
      return await forwardAndLog(options, asked, address.target);
  }
}

async function forwardAndLog(
  { upstreams, parts, log }: AppOptions,
  { request, bindings }: Asked,
  { api, path }: Extract<GatewayAddress['target'], { kind: 'api' }>,
): Promise<Response> {
  const url = upstreamUrl(upstreams, api, path, new URL(request.url).search);
  const { response, sent } = await forwardNoting(parts, { url, request, ...bindings });
  log({ method: request.method, path: `/${api}${path}`, status: response.status, sent });
  return response;
}

function homeText({ token, upstreams }: AppOptions, origin: string): string {
  const lines = Object.entries(upstreams).map(([api, upstream]) => `${api}: ${new URL(upstream).host}`);
  return ['The gateway of Strata is running.', ...lines, '', instructionsText(origin, token), ''].join('\n');
}
