/** A key and the only place that it is sent to: a key that was meant for one server never goes to another. */
export interface StoredKey {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly key: string;
}

export function originOf(baseUrl: string): string {
  return URL.canParse(baseUrl) ? new URL(baseUrl).origin : '';
}

export function encodeKey(key: StoredKey): string {
  return JSON.stringify(key);
}

/** The key for this address; undefined where there is none, or where it is for another place. */
export function keyFor(baseUrl: string, stored: string | undefined): string | undefined {
  const known = stored === undefined ? null : decodeKey(stored);
  return known !== null && known.origin === originOf(baseUrl) ? known.key : undefined;
}

function decodeKey(stored: string): StoredKey | null {
  try {
    const { origin, key }: Partial<StoredKey> = JSON.parse(stored);
    return typeof origin === 'string' && origin !== '' && typeof key === 'string' ? { origin, key } : null;
  } catch {
    // Not written by Strata as it is now: there is no telling what it is for.
    return null;
  }
}
