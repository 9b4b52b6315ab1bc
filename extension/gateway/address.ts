/** The providers that the gateway stands in front of, by the path under which agents reach them. */
export type ApiName = 'openai' | 'anthropic';

/** Where each provider is, without a slash at the end. */
export type Upstreams = Readonly<Record<ApiName, string>>;

export const usualUpstreams: Upstreams = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
};

/** A path of the gateway, taken apart. */
export interface GatewayAddress {
  /** Null where the path names none; it may come in a header. */
  readonly token: string | null;
  readonly target: Target;
}

export type Target =
  | { readonly kind: 'home' }
  /** `path` is what follows the address that an agent was given: empty, or with a slash in front. */
  | { readonly kind: 'api'; readonly api: ApiName; readonly path: string }
  | { readonly kind: 'unknown' };

/** Agents are given these as the addresses of their providers. */
export function agentAddress(gatewayUrl: string, token: string, api: ApiName): string {
  return `${gatewayUrl}/${token}${prefixes[api]}`;
}

const prefixes: Readonly<Record<ApiName, string>> = { openai: '/openai/v1', anthropic: '/anthropic' };

export function addressOf(path: string): GatewayAddress {
  const withoutToken = targetOf(path);
  if (withoutToken.kind === 'api') return { token: null, target: withoutToken };
  const [, token = '', rest = ''] = /^\/([^/]+)(.*)$/.exec(path) ?? [];
  if (token === '') return { token: null, target: withoutToken };
  return { token, target: targetOf(rest) };
}

function targetOf(path: string): Target {
  if (path === '' || path === '/') return { kind: 'home' };
  for (const api of ['openai', 'anthropic'] as const) {
    const rest = path.startsWith(prefixes[api]) ? path.slice(prefixes[api].length) : null;
    if (rest === '' || rest?.startsWith('/')) return { kind: 'api', api, path: rest };
  }
  return { kind: 'unknown' };
}

/** Throws a `TypeError` where the two make no address. */
export function upstreamUrl(upstreams: Upstreams, api: ApiName, path: string, query: string): URL {
  return new URL(`${upstreams[api].replace(/\/+$/, '')}${path}${query}`);
}
