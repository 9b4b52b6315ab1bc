import type { MarkedStore } from '../conversations/stores/marked-store';
import { StoreNotOpened } from '../conversations/stores/places/failures';
import type { StoreAccess } from '../conversations/stores/places/store-kinds';
import { CommandFailed } from './command-failed';

/** The store at this place, encrypted if STRATA_STORE_KEY is set. */
export async function storeAt(
  place: string,
  tell: (message: string) => void,
  options: Pick<StoreAccess, 'mayBeAway'> = {},
): Promise<MarkedStore> {
  try {
    const { openStore } = await import('../conversations/stores/places/open-store');
    return await openStore(place, { key: process.env.STRATA_STORE_KEY, tell, ...options });
  } catch (error) {
    if (!(error instanceof StoreNotOpened)) throw error;
    const named = error.because === 'wrong-key' ? `STRATA_STORE_KEY: ${error.message}` : error.message;
    throw new CommandFailed(named, error.because !== 'not-reached');
  }
}
