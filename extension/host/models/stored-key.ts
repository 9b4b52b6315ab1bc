/** A key and the only server it may be sent to. */
interface StoredKey {
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

/** The key for this URL; undefined without one, or if it belongs to another server. */
export function keyFor(baseUrl: string, stored: string | undefined): string | undefined {
  const known = stored === undefined ? null : decodeKey(stored);
  return known !== null && known.origin === originOf(baseUrl) ? known.key : undefined;
}

function decodeKey(stored: string): StoredKey | null {
  try {
    const { origin, key }: Partial<StoredKey> = JSON.parse(stored);
    return typeof origin === 'string' && origin !== '' && typeof key === 'string' ? { origin, key } : null;
  } catch {
    // Not in the current format, so the server it belongs to is unknown.
    return null;
  }
}
