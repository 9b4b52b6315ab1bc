import { localizable } from '../../../engine/wording/localizable-text';

/** The kinds of stores that can be opened by their place. */
export const storeKinds = ['postgres', 'redis', 'sqlite', 'pglite', 'folder'] as const;
export type StoreKind = (typeof storeKinds)[number];

/** How stores are named, for help texts. */
export const storePlaces = localizable('postgres://…, redis://…, sqlite:FILE, pglite:FOLDER, or a folder');

export interface StorePlace {
  readonly kind: StoreKind;
  /** What the store is opened by: the whole URL, or a path. */
  readonly target: string;
}

const kindsByScheme: Readonly<Record<string, StoreKind>> = {
  postgres: 'postgres',
  postgresql: 'postgres',
  redis: 'redis',
  rediss: 'redis',
  sqlite: 'sqlite',
  pglite: 'pglite',
};

/** The scheme of a place that is no kind of store, such as `mysql`, as text. A drive of Windows has one letter and is no scheme. */
export function readPlace(place: string): StorePlace | { readonly kind: 'unknown'; readonly scheme: string } {
  const [, scheme, rest = ''] = /^([a-z]{2,}):(.*)$/s.exec(place) ?? [];
  if (scheme === undefined) return { kind: 'folder', target: place };
  const kind = kindsByScheme[scheme];
  if (kind === undefined) return { kind: 'unknown', scheme };
  return { kind, target: kind === 'sqlite' || kind === 'pglite' ? rest : place };
}

const secretParameter = /([?&][^=&#]*(?:pass|secret|token|key)[^=&#]*=)[^&#]*/gi;

/**
 * The place as it may be shown and kept in settings. Everything between the user's name and the last `@` is taken for the
 * password, because a password that is not encoded may contain any character.
 */
export function withoutSecrets(place: string): string {
  if (!/^[a-z]{2,}:\/\//.test(place)) return place;
  return place
    .replace(/^([a-z]+:\/\/[^:/@]*):.*@/s, '$1@')
    .replace('://@', '://')
    .replace(secretParameter, '$1');
}
