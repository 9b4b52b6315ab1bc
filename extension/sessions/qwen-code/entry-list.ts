import type { Entry } from '../../engine/conversation/entry';
import { append } from '../records/append';
import { UniqueIds } from '../records/unique-ids';
import { GrowingEntry } from './growing-entry';

/** The entries of a session in file order. One that grows stands where its first row stood. */
export class EntryList {
  readonly ids = new UniqueIds();
  readonly #entries: Entry[] = [];
  readonly #grown = new Set<GrowingEntry>();

  add(entries: readonly Entry[]): void {
    append(this.#entries, entries);
  }

  addGrowing(base: Omit<Entry, 'parts'>): GrowingEntry {
    const growing = new GrowingEntry(base, this.#entries.length);
    this.#entries.push(growing.entry);
    this.#grown.add(growing);
    return growing;
  }

  noteGrown(growing: GrowingEntry): void {
    this.#grown.add(growing);
  }

  list(): Entry[] {
    for (const growing of this.#grown) this.#entries[growing.position] = growing.entry;
    this.#grown.clear();
    return this.#entries.slice();
  }
}
