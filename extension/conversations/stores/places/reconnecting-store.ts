import { LocalizableError, localizable } from '../../../engine/wording/localizable-text';
import { inTime } from '../../../platform/in-time';
import type { RecordStore } from '../record-store';
import { reasonOf, StoreNotOpened } from './failures';

/** A call of a store failed. The message names the store, the call and the reason. */
class StoreCallFailed extends LocalizableError {
  override name = 'StoreCallFailed';
}

/** Time after which a call counts as failed, in milliseconds: a network that drops packets reports nothing. */
const patienceMs = 15_000;

/** The calls of a store; `open` opens it. */
type Call = Exclude<keyof RecordStore, 'close'>;

export interface Reconnecting extends RecordStore {
  /** Fulfils when the store is open. */
  connect(): Promise<void>;
}

/**
 * A store that is opened with its first call. If opening fails, the next call tries again, so calls work as soon as the store can be
 * reached. `place` names it in messages.
 */
export function reconnectingStore(place: string, open: () => Promise<RecordStore>, waitMs = patienceMs): Reconnecting {
  let opening: Promise<RecordStore> | null = null;
  let isClosed = false;

  async function connected(): Promise<RecordStore> {
    if (isClosed) throw new StoreCallFailed(localizable('The store {0} was closed.', place));
    opening ??= open();
    try {
      return await opening;
    } catch (error) {
      opening = null;
      throw error;
    }
  }

  async function calling<T>(call: Call | 'open', work: (store: RecordStore) => Promise<T>): Promise<T> {
    try {
      return await inTime(connected().then(work), waitMs);
    } catch (error) {
      if (error instanceof StoreCallFailed || error instanceof StoreNotOpened) throw error;
      const wording = localizable('The call `{1}` of the store {0} failed: {2}', place, call, reasonOf(error));
      throw new StoreCallFailed(wording, { cause: error });
    }
  }

  return {
    connect: () => calling('open', async () => undefined),
    read: (key, from) => calling('read', (store) => store.read(key, from)),
    append: (...given) => calling('append', (store) => store.append(...given)),
    find: (...given) => calling('find', (store) => store.find(...given)),
    list: (scope) => calling('list', (store) => store.list(scope)),
    delete: (key) => calling('delete', (store) => store.delete(key)),
    prune: (before) => calling('prune', (store) => store.prune(before)),
    async close() {
      isClosed = true;
      // A store that never opened needs no closing.
      const store = await opening?.catch(() => null);
      await store?.close();
    },
  };
}
