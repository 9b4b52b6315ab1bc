import type { RecordStore, StoredConversation } from '../../conversations/stores/record-store';

/** The conversations of one tenant in one store. */
export interface ListPlace {
  readonly address: string;
  /** Empty for conversations without a tenant. */
  readonly tenant: string;
}

/** Newest first. */
type StoreList =
  | { readonly kind: 'read'; readonly conversations: readonly StoredConversation[] }
  /** `conversations`: the last list that was read; empty if there is none. */
  | { readonly kind: 'failed'; readonly conversations: readonly StoredConversation[]; readonly error: unknown };

interface Reading {
  readonly list: Promise<StoreList>;
  /** Milliseconds since the epoch. */
  readonly begun: number;
}

/** The lists of conversations in stores. Each is read when it is first requested, and again after `forget`. */
export class StoreLists {
  readonly #readings = new Map<string, Reading>();
  readonly #last = new Map<string, readonly StoredConversation[]>();

  constructor(
    private readonly storeAt: (address: string) => Pick<RecordStore, 'list'>,
    private readonly now: () => number = Date.now,
  ) {}

  /** Never rejects. */
  read(place: ListPlace): Promise<StoreList> {
    const name = listName(place);
    const reading = this.#readings.get(name) ?? { list: this.#list(place), begun: this.now() };
    this.#readings.set(name, reading);
    return reading.list;
  }

  /** Forgets lists that were read at least `age` milliseconds ago. Returns whether there were any. */
  forget(age = 0): boolean {
    const old = [...this.#readings].filter(([, { begun }]) => this.now() - begun >= age);
    for (const [name] of old) this.#readings.delete(name);
    return old.length > 0;
  }

  async #list(place: ListPlace): Promise<StoreList> {
    const name = listName(place);
    try {
      const found = await this.storeAt(place.address).list(place.tenant);
      const conversations = [...found].sort(newestFirst);
      this.#last.set(name, conversations);
      return { kind: 'read', conversations };
    } catch (error) {
      return { kind: 'failed', conversations: this.#last.get(name) ?? [], error };
    }
  }
}

function newestFirst(a: StoredConversation, b: StoredConversation): number {
  if (a.updated === b.updated) return a.id < b.id ? -1 : 1;
  return a.updated < b.updated ? 1 : -1;
}

/** Names a list in a map. */
export function listName({ address, tenant }: ListPlace): string {
  return JSON.stringify([address, tenant]);
}
