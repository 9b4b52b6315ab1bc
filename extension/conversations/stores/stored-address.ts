/** Separates the place of a store from the conversation in it. */
const mark = '#';

/** Names a conversation in a store. */
export interface StoredName {
  /** The store, without secrets. */
  readonly place: string;
  /** Tenant. Absent: those that have none. */
  readonly scope?: string | undefined;
  /** The key that its agent gave it, or its id. */
  readonly name: string;
}

/** `PLACE#NAME` or `PLACE#TENANT/NAME`. Characters with a special meaning are escaped. */
export function storedAddress({ place, scope, name }: StoredName): string {
  return `${place}${mark}${scope ? `${escaped(scope)}/` : ''}${escaped(name)}`;
}

/**
 * The conversation that an address names; null if the address has another form. Does not check whether there is such a
 * store.
 */
export function readStoredAddress(address: string): StoredName | null {
  const at = address.lastIndexOf(mark);
  const parts = address.slice(at + 1).split('/');
  const [first = '', second] = parts;
  if (at <= 0 || parts.length > 2 || parts.includes('')) return null;
  const place = address.slice(0, at);
  return second === undefined
    ? { place, name: unescaped(first) }
    : { place, scope: unescaped(first), name: unescaped(second) };
}

function escaped(text: string): string {
  return text.replace(/[%#/\\]/g, encodeURIComponent);
}

function unescaped(text: string): string {
  return text.replace(/%(?:25|23|2F|5C)/gi, decodeURIComponent);
}
