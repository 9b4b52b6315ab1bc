import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** Whether a request may pass, and for whom. */
type Admission =
  /** `scope`: the tenant. Absent: the gateway has one person. */
  | { readonly kind: 'admitted'; readonly scope?: string }
  | { readonly kind: 'refused'; readonly status: 401 | 403 | 426; readonly message: string };

/** Facts about the sender of a request. */
interface Caller {
  readonly headers: Headers;
  /** The `Host` header. */
  readonly host: string;
  /** The token in the path. */
  readonly token: string | null;
}

/** How a gateway for one person and a gateway for several tenants differ. */
export type Admit = (caller: Caller) => Admission;

/** For agents that cannot have the token in the URL. Never forwarded. */
export const tokenHeader = 'x-strata-token';

/**
 * Admits requests with the token. A web page in a browser can reach a loopback port, with an `Origin` header or by a host name
 * that it resolves to this machine (DNS rebinding). So requests with an `Origin` or another host are refused.
 */
export function admitPerson(expected: string): Admit {
  return ({ headers, host, token }) => {
    if (headers.has('origin')) return refused(403, 'The gateway of Strata does not answer pages in a browser.');
    if (!isLoopback(host)) return refused(403, 'The gateway of Strata answers only on this machine, at 127.0.0.1.');
    const given = token !== null && isEqual(token, expected) ? token : headers.get(tokenHeader);
    if (given === null || !isEqual(given, expected)) {
      return refused(401, 'The address has no token for this gateway of Strata, or an invalid one.');
    }
    if (headers.get('upgrade')?.toLowerCase() === 'websocket') {
      return refused(426, 'The gateway of Strata supports HTTP only, not WebSockets.');
    }
    return { kind: 'admitted' };
  };
}

/** Admits requests with the token of a tenant. `tenants` is called for each request, so that a removed token ends at once. */
export function admitTenants(tenants: () => Tenants): Admit {
  return ({ headers, token }) => {
    const scope = tenants().get(hashOfToken(token ?? headers.get(tokenHeader) ?? ''));
    return scope === undefined ? refused(401, 'Unknown token.') : { kind: 'admitted', scope };
  };
}

function refused(status: 401 | 403 | 426, message: string): Admission {
  return { kind: 'refused', status, message };
}

function isLoopback(host: string): boolean {
  return /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i.test(host);
}

/** Compares tokens of one length in constant time. */
function isEqual(given: string, expected: string): boolean {
  const [ofGiven, ofExpected] = [Buffer.from(given), Buffer.from(expected)];
  return ofGiven.length === ofExpected.length && timingSafeEqual(ofGiven, ofExpected);
}

/** A new secret for agents. */
export function newToken(): string {
  return randomBytes(24).toString('base64url');
}

/** Only characters that a URL path allows. */
export function isToken(text: string): boolean {
  return /^[\w-]{16,}$/.test(text);
}

/** Scope of each tenant by the SHA-256 of its token: the tokens themselves are stored nowhere. */
export type Tenants = ReadonlyMap<string, string>;

/** A line of a file of tenants cannot be read; the message names it. */
export class TenantsUnreadable extends Error {
  override name = 'TenantsUnreadable';
}

/** Reads lines of the form `NAME sha256:DIGITS`. Empty lines and those that begin with `#` are left out. */
export function tenantsIn(text: string, file: string): Tenants {
  const tenants = new Map<string, string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const [, name, hash] = /^(\S+)\s+sha256:([0-9a-f]{64})\s*$/.exec(line) ?? [];
    const place = `${file}:${index + 1}`;
    if (name === undefined || hash === undefined)
      throw new TenantsUnreadable(`${place}: expected "NAME sha256:" and 64 hexadecimal digits`);
    if (tenants.has(hash)) throw new TenantsUnreadable(`${place}: another tenant has the same token`);
    tenants.set(hash, name);
  }
  if (tenants.size === 0) throw new TenantsUnreadable(`${file}: there is no tenant in it`);
  return tenants;
}

/** Tokens are random and long, so a plain hash cannot be guessed. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** A new token, with the line for it in the file of tenants. */
export function newTenant(name: string): { readonly token: string; readonly line: string } {
  const token = newToken();
  return { token, line: `${name} sha256:${hashOfToken(token)}` };
}
