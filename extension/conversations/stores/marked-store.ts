import { lossIn } from './lost-record';
import type { RecordKey, RecordStore } from './record-store';

/** How the records of a store are written. */
export interface Marking {
  /** The mark for a store that is created now. */
  make(): string;
  /** Why this writer may not write to a store with this mark; null if it may. */
  faultOf(mark: string): Error | null;
}

export interface MarkedStore extends RecordStore {
  /** Rejects if the store is written in another way, or cannot be read. */
  check(): Promise<void>;
  /** Marks the store if it has no mark. Rejects if it has the mark of another kind of writer, or cannot be written to. */
  claim(): Promise<void>;
}

/** Where the mark is kept: the scope of no tenant, because a tenant’s name has no space. */
const place: RecordKey = { scope: 'strata store', id: 'mark' };

/** A store that can only be used with the key it was begun with. Its first records say how the others are written. */
export function markedStore(store: RecordStore, { make, faultOf }: Marking): MarkedStore {
  let checked: Promise<boolean> | null = null;

  /** Empty if there is no mark. */
  const marks = async () => (await store.read(place, 0)).filter((record) => lossIn(record) === null);

  async function made(): Promise<readonly string[]> {
    const { length } = await store.read(place, 0);
    // If two begin at once, the mark of the first counts. It is written twice, so that damage to one does not lock the store.
    const about = { begins: '', name: null, created: new Date().toISOString() };
    await store.append(place, length, [make(), make()], about);
    const found = await marks();
    if (found.length === 0) throw new Error('The store did not keep what was written to it.');
    return found;
  }

  /** Whether it has a mark. */
  async function check(isWriting: boolean): Promise<boolean> {
    const there = await marks();
    const found = there.length === 0 && isWriting ? await made() : there;
    const faults = found.map(faultOf);
    const [fault] = faults;
    if (fault && !faults.includes(null)) throw fault;
    return found.length > 0;
  }

  async function usable(isWriting: boolean): Promise<void> {
    checked ??= check(isWriting);
    const isMarked = await checked.catch((error) => {
      checked = null;
      throw error;
    });
    if (isMarked) return;
    checked = null;
    if (isWriting) await usable(true);
  }

  return {
    check: () => usable(false),
    claim: () => usable(true),
    async read(key, from) {
      await usable(false);
      return await store.read(key, from);
    },
    async append(...added) {
      await usable(true);
      return await store.append(...added);
    },
    async find(scope, beginnings) {
      await usable(false);
      return await store.find(scope, beginnings);
    },
    async list(scope) {
      await usable(false);
      return await store.list(scope);
    },
    async delete(key) {
      await usable(false);
      await store.delete(key);
    },
    async prune(before) {
      await usable(false);
      const wasMarked = (await marks()).length > 0;
      const pruned = await store.prune(before);
      if (!wasMarked || (await marks()).length > 0) return pruned;
      await made();
      return pruned - 1;
    },
    close: () => store.close(),
  };
}
