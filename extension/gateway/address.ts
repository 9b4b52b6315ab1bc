/** The provider APIs that the gateway forwards to. Each has its own path. */
export type ApiName = 'openai' | 'anthropic';

/** Base URL of each provider. Its query, if it has one, is added to every request. */
export type Upstreams = Readonly<Record<ApiName, string>>;

export const defaultUpstreams: Upstreams = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
};

/** The parts of a path of the gateway. */
export interface GatewayAddress {
  /** Null if the path has none; it may come in a header. */
  readonly token: string | null;
  readonly target: Target;
}

type Target =
  | { readonly kind: 'home' }
  /** `path` is what follows the base URL given to the agent: empty, or with a leading slash. */
  | { readonly kind: 'api'; readonly api: ApiName; readonly path: string }
  | { readonly kind: 'unknown' };

/** The base URL to configure in an agent as its provider's. */
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
 * The provider's URL for a request. Joins the query of the provider's base URL with that of the request; a parameter in
 * both is taken from the request. Throws a `TypeError` for an invalid URL.
 */
export function upstreamUrl(upstreams: Upstreams, api: ApiName, path: string, query: string): URL {
  const [, address = '', own = ''] = /^([^?]*)\??(.*)$/s.exec(upstreams[api].trim()) ?? [];
  return new URL(`${address.replace(/\/+$/, '')}${path}${joined(own, query)}`);
}

/** Keeps the text of both queries, because a provider may parse them differently. */
function joined(own: string, query: string): string {
  const requested = new URLSearchParams(query);
  const added = own.split('&').filter((one) => one !== '' && !isNamed(one, requested));
  if (added.length === 0) return query;
  return `?${[...added, query.slice(1)].filter((one) => one !== '').join('&')}`;
}

function isNamed(parameter: string, query: URLSearchParams): boolean {
  return [...new URLSearchParams(parameter).keys()].some((name) => query.has(name));
}
