import { createHash, timingSafeEqual } from 'node:crypto';

export type Admission =
  | { readonly kind: 'admitted' }
  | { readonly kind: 'refused'; readonly status: 401 | 403 | 426; readonly message: string };

/** What a request says about its sender. */
export interface Caller {
  readonly headers: Headers;
  /** The `Host` header. */
  readonly host: string;
  /** The token in the path. */
  readonly token: string | null;
}

/** For agents that cannot have the token in the URL. Never forwarded. */
export const tokenHeader = 'x-strata-token';

/**
 * Decides whether a request may pass. A web page in a browser can reach a loopback port, with an `Origin` header or by a
 * host name that it resolves to this machine (DNS rebinding). So requests with an `Origin` or another host are refused.
 */
export function admissionOf({ headers, host, token }: Caller, expected: string): Admission {
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
}

function refused(status: 401 | 403 | 426, message: string): Admission {
  return { kind: 'refused', status, message };
}

function isLoopback(host: string): boolean {
  return /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i.test(host);
}

/** Compares in constant time. */
function isEqual(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
