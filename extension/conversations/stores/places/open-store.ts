import { localizable } from '../../../engine/wording/localizable-text';
import type { MarkedStore } from '../marked-store';
import type { RecordStore } from '../record-store';
import { reasonOf, StoreNotOpened, wrongPlace } from './failures';
import { readPlace, storePlaces, withoutSecrets } from './place';
import { isAway, type StoreAccess, storeKinds } from './store-kinds';

/**
 * The store at this place; only its own code is loaded. Its connections do not keep the process running. Rejects if it was begun
 * with another key, or without one; for a visitor, the methods of the store reject instead.
 */
export async function openStore(place: string, access: StoreAccess): Promise<MarkedStore> {
  try {
    const store = await opened(place, access);
    const marked = access.key ? await encrypted(store, access.key) : await plain(store);
    if (!access.visits) await checked(marked, access);
    return marked;
  } catch (error) {
    if (error instanceof StoreNotOpened) throw error;
    const wording = localizable('The store {0} cannot be opened: {1}', withoutSecrets(place), reasonOf(error));
    throw new StoreNotOpened('not-reached', wording, { cause: error });
  }
}

async function encrypted(store: RecordStore, key: string): Promise<MarkedStore> {
  const { encryptedStore, WrongKey } = await import('../encrypted-store');
  try {
    return encryptedStore(store, key);
  } catch (error) {
    if (error instanceof WrongKey) throw wrongKey(error);
    throw error;
  }
}

const plainMark = 'plain';

async function plain(store: RecordStore): Promise<MarkedStore> {
  const { markedStore } = await import('../marked-store');
  const fault = new StoreNotOpened('wrong-key', localizable('This store is encrypted, and there is no key for it'));
  return markedStore(store, {
    make: () => plainMark,
    faultOf: (mark) => (mark === plainMark ? null : fault),
  });
}

async function checked(store: MarkedStore, { mayBeAway, tell }: StoreAccess): Promise<void> {
  try {
    await store.check();
  } catch (error) {
    if (mayBeAway && isAway(error)) return tell(`The store does not answer yet: ${reasonOf(error)}`);
    await store.close();
    const { WrongKey } = await import('../encrypted-store');
    throw error instanceof WrongKey ? wrongKey(error) : error;
  }
}

function wrongKey(error: Error): StoreNotOpened {
  return new StoreNotOpened('wrong-key', reasonOf(error), { cause: error });
}

async function opened(place: string, access: StoreAccess): Promise<RecordStore> {
  const found = readPlace(place);
  if (found.kind === 'unknown')
    throw wrongPlace(localizable('There is no store "{0}:"; a store is {1}', found.scheme, storePlaces));
  return await storeKinds[found.kind].open(found.target, access);
}
