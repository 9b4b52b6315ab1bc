/** The providers that the gateway stands in front of, by the path under which agents reach them. */
export type ApiName = 'openai' | 'anthropic';

/** Where each provider is. May have a query, which goes along with every request. */
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

/**
 * The query of the provider's own address goes along with that of the request, which has the last word on what both name.
 * Throws a `TypeError` where the parts make no address.
 */
export function upstreamUrl(upstreams: Upstreams, api: ApiName, path: string, query: string): URL {
  const [, address = '', own = ''] = /^([^?]*)\??(.*)$/s.exec(upstreams[api].trim()) ?? [];
  return new URL(`${address.replace(/\/+$/, '')}${path}${joined(own, query)}`);
}

/** Both as they are written: a provider may read them as no parser of ours does. */
function joined(own: string, query: string): string {
  const asked = new URLSearchParams(query);
  const added = own.split('&').filter((one) => one !== '' && !isNamed(one, asked));
  if (added.length === 0) return query;
  return `?${[...added, query.slice(1)].filter((one) => one !== '').join('&')}`;
}

function isNamed(parameter: string, query: URLSearchParams): boolean {
  return [...new URLSearchParams(parameter).keys()].some((name) => query.has(name));
}
