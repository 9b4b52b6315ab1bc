import { isServer, readPlace, withoutSecrets } from '../../conversations/stores/places/place';

/** A store as the setting `strata.stores` names it. The address identifies it. */
export interface ConfiguredStore {
  /** Without secrets. */
  readonly address: string;
  /** Tenants to list. Empty: conversations without a tenant. */
  readonly tenants: readonly string[];
}

/** What belongs to a store and is in no setting. */
export interface StoreSecrets {
  /** The address with its password, where it has one. */
  readonly place?: string;
  /** Encrypts what is stored. */
  readonly key?: string;
}

/** The stores in a setting of any shape; what is no store is left out. Of two with one address, the first counts. */
export function readConfiguredStores(setting: unknown): readonly ConfiguredStore[] {
  const stores = new Map<string, ConfiguredStore>();
  for (const item of Array.isArray(setting) ? setting : []) {
    const { address, tenants }: { readonly address?: unknown; readonly tenants?: unknown } = item ?? {};
    if (typeof address !== 'string' || address.trim() === '' || stores.has(address)) continue;
    const named = Array.isArray(tenants) ? tenants.filter((name) => typeof name === 'string' && name !== '') : [];
    stores.set(address, { address, tenants: [...new Set<string>(named)] });
  }
  return [...stores.values()];
}

/** Settings are no place for a password. */
export function hasSecrets({ address }: ConfiguredStore): boolean {
  return withoutSecrets(address) !== address;
}

/** Name of the secrets of a store. Those of another address are never sent to this one. */
export function secretName(address: string): string {
  return `strata.store:${address}`;
}

export function encodeSecrets(secrets: StoreSecrets): string {
  return JSON.stringify(secrets);
}

export function decodeSecrets(stored: string | undefined): StoreSecrets {
  if (stored === undefined) return {};
  const { place, key }: Partial<Record<keyof StoreSecrets, unknown>> = JSON.parse(stored);
  return { ...(typeof place === 'string' ? { place } : {}), ...(typeof key === 'string' ? { key } : {}) };
}

/** A URL with this password for its user. */
export function withPassword(place: string, password: string): string {
  const url = new URL(place);
  url.password = password;
  return url.href;
}

/** Whether a place is a URL of a server, and has no password. */
export function mayNeedPassword(place: string): boolean {
  const { kind } = readPlace(place);
  if (kind === 'unknown' || !isServer(kind)) return false;
  return place.includes('://') && URL.canParse(place) && new URL(place).password === '';
}

/** `acme, globex` → both. */
export function readTenants(text: string): readonly string[] {
  return [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
}
