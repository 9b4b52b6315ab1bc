import type { RecordKey, RecordStore } from './record-store';

/** How the records of a store are written. */
export interface Marking {
  /** The mark of a store that is begun now. */
  make(): string;
  /** Why nobody who writes this way may use a store with this mark; null if it is the same way. */
  faultOf(mark: string): Error | null;
}

export interface MarkedStore extends RecordStore {
  /** Rejects if the store is written in another way, or cannot be read. */
  check(): Promise<void>;
  /** Marks the store if nobody has. Rejects if it is written in another way, or cannot be written to. */
  claim(): Promise<void>;
}

/** Where the mark is kept: the scope of no tenant, because a tenant’s name has no space. */
const place: RecordKey = { scope: 'strata store', id: 'mark' };

/** A store that nobody can use with another key than it was begun with. Its first record says how the others are written. */
export function markedStore(store: RecordStore, { make, faultOf }: Marking): MarkedStore {
  let checked: Promise<boolean> | null = null;

  const markOf = async (): Promise<string | null> => (await store.read(place, 0))[0] ?? null;

  async function made(): Promise<string> {
    // Of two who begin at once, the mark of the first stands.
    await store.append(place, 0, [make()], { begins: '', name: null, created: new Date().toISOString() });
    const mark = await markOf();
    if (mark === null) throw new Error('The store did not keep what was written to it.');
    return mark;
  }

  /** Whether it has a mark. */
  async function check(isWriting: boolean): Promise<boolean> {
    const mark = (await markOf()) ?? (isWriting ? await made() : null);
    const fault = mark === null ? null : faultOf(mark);
    if (fault !== null) throw fault;
    return mark !== null;
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
      const wasMarked = (await markOf()) !== null;
      const pruned = await store.prune(before);
      if (!wasMarked || (await markOf()) !== null) return pruned;
      await made();
      return pruned - 1;
    },
    close: () => store.close(),
  };
}
