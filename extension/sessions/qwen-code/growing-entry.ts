import type { Entry, Part } from '../../engine/conversation/entry';

/** An entry that later rows may add to: a reply that spends a row on each call, or rows of one id. */
export class GrowingEntry {
  readonly #rows: (readonly Part[])[] = [];
  #entry: Entry | null = null;

  constructor(
    private base: Omit<Entry, 'parts'>,
    /** Where the entry stands among all entries. */
    readonly position: number,
  ) {}

  add(parts: readonly Part[], news: Pick<Entry, 'usage' | 'model'> = {}): void {
    this.#rows.push(parts);
    this.base = { ...this.base, ...news };
    this.#entry = null;
  }

  /** Made when it is asked for, so that an entry of many rows costs no more than its rows. */
  get entry(): Entry {
    this.#entry ??= { ...this.base, parts: this.#rows.flat() };
    return this.#entry;
  }
}
