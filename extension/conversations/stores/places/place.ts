import { localizable } from '../../../engine/wording/localizable-text';
import { kindNames, type StoreKind, storeKinds } from './store-kinds';

/** How stores are named, for help texts. */
export const storePlaces = placesOf(kindNames);
/** How the stores are named that other processes than their own can open. `package.nls.json` has this list too. */
export const sharedPlaces = placesOf(kindNames.filter((kind) => !storeKinds[kind].isAlone));

function placesOf(kinds: readonly StoreKind[]) {
  return localizable('{0}, or a folder', kinds.flatMap((kind) => storeKinds[kind].address ?? []).join(', '));
}

/** Whether the store is a server, which is addressed by a URL. */
export function isServer(kind: StoreKind): boolean {
  return storeKinds[kind].target === 'url';
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
  const kind = kindNames.find((each) => storeKinds[each].schemes.includes(scheme));
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
