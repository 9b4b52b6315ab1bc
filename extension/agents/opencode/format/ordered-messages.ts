import type { Entry } from '../../../engine/conversation/entry';
import { append } from '../../../platform/json/append';
import type { MessageEntries } from './entries';
import { compareMessages } from './message';

/** Null for a deleted message. */
type MessageChange = readonly [id: string, message: MessageEntries | null];

/** The messages of one session, in order. The cost of a change is linear in the messages from its position on. */
export class OrderedMessages {
  readonly #byId = new Map<string, MessageEntries>();
  /** The few messages with issues or subagents, by id. */
  readonly #notable = new Map<string, MessageEntries>();
  readonly #others = new Map<string, number>();
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

  /** Messages with issues, or that started sessions, in order. */
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
      const position = this.#positionFor(this.#byId.get(id), message);
      this.#note(id, message);
      if (position === null || message === null) isOrdered = false;
      else if (isOrdered) {
        this.#all[position] = message;
        first = Math.min(first, position);
      }
    }
    if (!isOrdered) this.#all = [...this.#byId.values()].sort(compareEntries);
    this.#assemble(isOrdered ? first : 0);
  }

  /** The position of a message that replaces its older state or is the newest; null if other messages have to move. */
  #positionFor(before: MessageEntries | undefined, now: MessageEntries | null): number | null {
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

function compareEntries({ message: one }: MessageEntries, { message: other }: MessageEntries): number {
  return compareMessages(one, other);
}
