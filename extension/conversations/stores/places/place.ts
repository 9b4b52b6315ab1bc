import { localizable } from '../../../engine/wording/localizable-text';

interface StoreKindDescription {
  /** Empty for places without a scheme. */
  readonly schemes: readonly string[];
  /** `url`: the whole place is passed to the server's client; it may contain a password. `path`: the scheme is followed by a path. */
  readonly target: 'url' | 'path';
  /** Name of the product; empty if it has no name. */
  readonly product: string;
}

const descriptions = {
  postgres: { schemes: ['postgres', 'postgresql'], target: 'url', product: 'Postgres' },
  redis: { schemes: ['redis', 'rediss'], target: 'url', product: 'Redis' },
  sqlite: { schemes: ['sqlite'], target: 'path', product: 'SQLite' },
  pglite: { schemes: ['pglite'], target: 'path', product: 'PGlite' },
  folder: { schemes: [], target: 'path', product: '' },
} as const satisfies Readonly<Record<string, StoreKindDescription>>;

/** The kinds of stores that can be opened by their place. */
export type StoreKind = keyof typeof descriptions;
export const storeKinds = Object.keys(descriptions) as readonly StoreKind[];

/** How stores are named, for help texts. The editor has this list, without `pglite:`, in `host/stores/add-store.ts` and `package.nls.json`. */
export const storePlaces = localizable('postgres://…, redis://…, sqlite:FILE, pglite:FOLDER, or a folder');

/** Name of the product; empty for a folder. */
export function productOf(kind: StoreKind): string {
  return descriptions[kind].product;
}

/** Whether the store is a server, which is addressed by a URL. */
export function isServer(kind: StoreKind): boolean {
  return descriptions[kind].target === 'url';
}

interface StorePlace {
  readonly kind: StoreKind;
  /** The argument that opens the store: the whole URL, or a path. */
  readonly target: string;
}

/** Returns the scheme if there is no such kind of store, as for `mysql:`. A drive of Windows has one letter and is not a scheme. */
export function readPlace(place: string): StorePlace | { readonly kind: 'unknown'; readonly scheme: string } {
  const [, scheme, rest = ''] = /^([a-z]{2,}):(.*)$/s.exec(place) ?? [];
  if (scheme === undefined) return { kind: 'folder', target: place };
  const kind = storeKinds.find((each) => (descriptions[each].schemes as readonly string[]).includes(scheme));
  if (kind === undefined) return { kind: 'unknown', scheme };
  return { kind, target: isServer(kind) ? place : rest };
}

const secretParameter = /([?&][^=&#]*(?:pass|secret|token|key)[^=&#]*=)[^&#]*/gi;

/**
 * The place as it may be shown and kept in settings. Everything between the user's name and the last `@` counts as the
 * password, because a password that is not encoded may contain any character.
 */
export function withoutSecrets(place: string): string {
  if (!/^[a-z]{2,}:\/\//.test(place)) return place;
  return place
    .replace(/^([a-z]+:\/\/[^:/@]*):.*@/s, '$1@')
    .replace('://@', '://')
    .replace(secretParameter, '$1');
}
