import type { Entry, Part } from '../../../engine/conversation/entry';

/** An entry to which later rows may add: a reply with one row per call, or several rows with one id. */
export class GrowingEntry {
  readonly #rows: (readonly Part[])[] = [];
  #entry: Entry | null = null;

  constructor(
    private base: Omit<Entry, 'parts'>,
    /** Index among all entries. */
    readonly position: number,
  ) {}

  add(parts: readonly Part[], metadata: Pick<Entry, 'usage' | 'model'> = {}): void {
    this.#rows.push(parts);
    this.base = { ...this.base, ...metadata };
    this.#entry = null;
  }

  /** Built on demand, so that the cost of an entry is linear in its rows. */
  get entry(): Entry {
    this.#entry ??= { ...this.base, parts: this.#rows.flat() };
    return this.#entry;
  }
}
