import type { Entry, Part, Usage } from '../../../engine/conversation/entry';
import { append } from '../../../platform/json/append';
import type { JsonRecord } from '../../../platform/json/schemas';

/** An entry that may still grow, item by item, and then gets its usage. Built on request. */
export class Slot {
  #base: Entry;
  readonly #parts: Part[];
  #usage: Usage | null = null;
  #entry: Entry | null = null;

  constructor(
    entry: Entry,
    /** The records it was built from; empty unless needed for a fork. */
    readonly items: JsonRecord[] = [],
  ) {
    this.#base = entry;
    this.#parts = entry.parts.slice();
    this.#entry = entry;
  }

  get entry(): Entry {
    this.#entry ??= this.#build();
    return this.#entry;
  }

  add(parts: readonly Part[], items: readonly JsonRecord[]): void {
    append(this.#parts, parts);
    append(this.items, items);
    this.#entry = null;
  }

  get hasUsage(): boolean {
    return this.#usage !== null;
  }

  setUsage(usage: Usage): void {
    this.#usage = usage;
    this.#entry = null;
  }

  /** A later record shows that a person typed it. */
  setTyped(): void {
    const { injected: _injected, standing: _standing, ...base } = this.#base;
    this.#base = base;
    this.#entry = null;
  }

  #build(): Entry {
    return {
      ...this.#base,
      parts: this.#parts.slice(),
      ...(this.#usage === null ? {} : { usage: this.#usage }),
    };
  }
}
