import { createHash, timingSafeEqual } from 'node:crypto';

export type Admission =
  | { readonly kind: 'admitted' }
  | { readonly kind: 'refused'; readonly status: 401 | 403 | 426; readonly message: string };

/** What is known of who asks. */
export interface Caller {
  readonly headers: Headers;
  /** The `Host` as it was sent. */
  readonly host: string;
  /** The token in the path. */
  readonly token: string | null;
}

/** Agents that cannot be given an address with the token in it send it so. It is never sent on. */
export const tokenHeader = 'x-strata-token';

/**
 * A page in a browser can reach a loopback port: it sends an `Origin`, or comes under a name that it had resolved to this
 * machine. So only callers without the one, and under a name of loopback, are heard.
 */
export function admissionOf({ headers, host, token }: Caller, expected: string): Admission {
  if (headers.has('origin')) return refused(403, 'The gateway of Strata does not answer pages in a browser.');
  if (!isLoopback(host)) return refused(403, 'The gateway of Strata answers on this machine alone, at 127.0.0.1.');
  const given = token !== null && isSame(token, expected) ? token : headers.get(tokenHeader);
  if (given === null || !isSame(given, expected)) {
    return refused(401, 'The address has no token of this gateway of Strata, or one that is no longer good.');
  }
  if (headers.get('upgrade')?.toLowerCase() === 'websocket') {
    return refused(426, 'The gateway of Strata speaks HTTP; it has no WebSockets.');
  }
  return { kind: 'admitted' };
}

function refused(status: 401 | 403 | 426, message: string): Admission {
  return { kind: 'refused', status, message };
}

function isLoopback(host: string): boolean {
  return /^(?:127\.0\.0\.1|localhost|\[::1\])(?::\d+)?$/i.test(host);
}

/** In a time that does not tell how much of it was right. */
function isSame(given: string, expected: string): boolean {
  return timingSafeEqual(digest(given), digest(expected));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
