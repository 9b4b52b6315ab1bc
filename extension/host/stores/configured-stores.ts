import { isServer, readPlace, withoutSecrets } from '../../conversations/stores/places/place';

/** A store as the setting `strata.stores` names it. The address identifies it. */
export interface ConfiguredStore {
  /** Without secrets. */
  readonly address: string;
  /** Tenants to list. Empty: conversations without a tenant. */
  readonly tenants: readonly string[];
}

/** The parts of a store that are not in a setting. */
export interface StoreSecrets {
  /** The address, with its password if it has one. */
  readonly place?: string;
  /** Encrypts what is stored. */
  readonly key?: string;
}

/** The stores in a setting of any shape; invalid ones are left out. If two have the same address, the first counts. */
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

/** Settings must not contain a password. */
export function hasSecrets({ address }: ConfiguredStore): boolean {
  return withoutSecrets(address) !== address;
}

/** Name under which the secrets of a store are stored. It contains the address, so secrets are never sent to another address. */
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

/** The URL with this password for its user. */
export function withPassword(place: string, password: string): string {
  const url = new URL(place);
  url.password = password;
  return url.href;
}

/** Whether a place is the URL of a server and contains no password. */
export function mayNeedPassword(place: string): boolean {
  const { kind } = readPlace(place);
  if (kind === 'unknown' || !isServer(kind)) return false;
  return place.includes('://') && URL.canParse(place) && new URL(place).password === '';
}

/** `acme, globex` → both. */
export function readTenants(text: string): readonly string[] {
  return [...new Set(text.split(',').map((name) => name.trim()))].filter((name) => name !== '');
}
