import type { Entry } from '../../../engine/conversation/entry';
import { append } from '../../../platform/json/append';
import type { UniqueIds } from '../../../platform/json/unique-ids';
import { GrowingEntry } from './growing-entry';

/** The entries of a session in file order. A growing entry has the position of its first row. */
export class EntryList {
  readonly #entries: Entry[] = [];
  readonly #changed = new Set<GrowingEntry>();

  constructor(readonly ids: UniqueIds) {}

  add(entries: readonly Entry[]): void {
    append(this.#entries, entries);
  }

  addGrowing(base: Omit<Entry, 'parts'>): GrowingEntry {
    const growing = new GrowingEntry(base, this.#entries.length);
    this.#entries.push(growing.entry);
    this.#changed.add(growing);
    return growing;
  }

  markChanged(growing: GrowingEntry): void {
    this.#changed.add(growing);
  }

  list(): Entry[] {
    for (const growing of this.#changed) this.#entries[growing.position] = growing.entry;
    this.#changed.clear();
    return this.#entries.slice();
  }
}
