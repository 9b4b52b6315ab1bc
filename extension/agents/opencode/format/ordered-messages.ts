import type { Entry } from '../../../engine/conversation/entry';
import { append } from '../../../platform/json/append';
import { Tally } from '../../../platform/json/tally';
import type { MessageEntries } from './entries';
import { compareMessages } from './message';

/** Null for a deleted message. */
type MessageChange = readonly [id: string, message: MessageEntries | null];

/** The messages of one session, in order. A change sorts all of them, and lists the entries from its position on again. */
export class OrderedMessages {
  readonly #byId = new Map<string, MessageEntries>();
  #all: MessageEntries[] = [];
  #entries: Entry[] = [];
  /** The index of each message's first entry. */
  #starts: number[] = [];

  get all(): readonly MessageEntries[] {
    return this.#all;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  otherRecords(): Record<string, number> {
    const tally = new Tally();
    for (const { others } of this.#all) for (const type of others) tally.add(type);
    return tally.counts();
  }

  take(changes: readonly MessageChange[]): void {
    if (changes.length === 0) return;
    for (const [id, message] of changes) {
      if (message === null) this.#byId.delete(id);
      else this.#byId.set(id, message);
    }
    const before = this.#all;
    this.#all = [...this.#byId.values()].sort((one, other) => compareMessages(one.message, other.message));
    const first = this.#all.findIndex((message, position) => message !== before[position]);
    this.#assemble(first < 0 ? this.#all.length : first);
  }

  /** Creates a new list, because lists that were returned before must not change. */
  #assemble(first: number): void {
    const entries = this.#entries.slice(0, this.#starts[first] ?? this.#entries.length);
    this.#starts.length = first;
    for (let position = first; position < this.#all.length; position += 1) {
      this.#starts.push(entries.length);
      append(entries, this.#all[position]?.entries ?? []);
    }
    this.#entries = entries;
  }
}
