import type { Entry } from '../../engine/conversation/entry';
import { append } from '../records/append';
import type { MessageEntries } from './entries';
import { compareMessages } from './message';

/** Null for a message that is gone. */
export type MessageChange = readonly [id: string, message: MessageEntries | null];

/** The messages of one session in their order. A change costs what stands at and behind it, not what stands before. */
export class OrderedMessages {
  readonly #byId = new Map<string, MessageEntries>();
  /** Those that say more than their entries do: few of many. */
  readonly #notable = new Map<string, MessageEntries>();
  readonly #others = new Map<string, number>();
  #all: MessageEntries[] = [];
  #entries: Entry[] = [];
  /** Of each message, the place of its first entry. */
  #starts: number[] = [];

  get all(): readonly MessageEntries[] {
    return this.#all;
  }

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** Messages with issues, or that started sessions, in their order. */
  notable(): MessageEntries[] {
    return [...this.#notable.values()].sort(compareEntries);
  }

  otherRecords(): Record<string, number> {
    return Object.fromEntries(this.#others);
  }

  take(changes: readonly MessageChange[]): void {
    if (changes.length === 0) return;
    let first = this.#all.length;
    let isOrdered = true;
    for (const [id, message] of changes) {
      const place = this.#placeFor(this.#byId.get(id), message);
      this.#note(id, message);
      if (place === null || message === null) isOrdered = false;
      else if (isOrdered) {
        this.#all[place] = message;
        first = Math.min(first, place);
      }
    }
    if (!isOrdered) this.#all = [...this.#byId.values()].sort(compareEntries);
    this.#assemble(isOrdered ? first : 0);
  }

  /** Where a message takes the place of its older state, or the one behind all; null where others have to move. */
  #placeFor(before: MessageEntries | undefined, now: MessageEntries | null): number | null {
    const newest = this.#all.at(-1);
    if (now === null) return null;
    if (before === undefined) return newest === undefined || compareEntries(newest, now) < 0 ? this.#all.length : null;
    return compareEntries(before, now) === 0 ? this.#find(before) : null;
  }

  #find(message: MessageEntries): number | null {
    let low = 0;
    let high = this.#all.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      const found = this.#all[middle];
      if (found !== undefined && compareEntries(found, message) < 0) low = middle + 1;
      else high = middle;
    }
    return this.#all[low] === message ? low : null;
  }

  #note(id: string, message: MessageEntries | null): void {
    for (const type of this.#byId.get(id)?.others ?? []) this.#count(type, -1);
    for (const type of message?.others ?? []) this.#count(type, 1);
    if (message === null) this.#byId.delete(id);
    else this.#byId.set(id, message);
    if (message !== null && message.issues.length + message.starts.length > 0) this.#notable.set(id, message);
    else this.#notable.delete(id);
  }

  #count(type: string, change: 1 | -1): void {
    const count = (this.#others.get(type) ?? 0) + change;
    if (count === 0) this.#others.delete(type);
    else this.#others.set(type, count);
  }

  /** Lists that were handed out stay as they are. */
  #assemble(first: number): void {
    const entries = this.#entries.slice(0, this.#starts[first] ?? this.#entries.length);
    this.#starts.length = first;
    for (let place = first; place < this.#all.length; place += 1) {
      this.#starts.push(entries.length);
      append(entries, this.#all[place]?.entries ?? []);
    }
    this.#entries = entries;
  }
}

function compareEntries({ message: one }: MessageEntries, { message: other }: MessageEntries): number {
  return compareMessages(one, other);
}
