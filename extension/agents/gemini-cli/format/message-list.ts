import type { Entry } from '../../../engine/conversation/entry';

/** One message of Gemini CLI's message list, with the entries that are sent for it. */
export interface ListedMessage {
  readonly id: string;
  readonly entries: readonly Entry[];
}

/** Gemini CLI's message list, in order. If an id occurs twice, it refers to the first message. */
export class MessageList {
  #slots: ListedMessage[] = [];
  readonly #places = new Map<string, number>();

  get slots(): readonly ListedMessage[] {
    return this.#slots;
  }

  put(slot: ListedMessage): void {
    const place = this.#places.get(slot.id);
    if (place === undefined) this.#push(slot);
    else this.#slots[place] = slot;
  }

  replaceAll(slots: readonly ListedMessage[]): void {
    this.#slots = [];
    this.#places.clear();
    for (const slot of slots) this.#push(slot);
  }

  /** Removes the message and all after it. An unknown id removes all messages. */
  rewindTo(id: string): void {
    const place = this.#places.get(id) ?? 0;
    for (const { id: removed } of this.#slots.splice(place)) {
      if ((this.#places.get(removed) ?? 0) >= place) this.#places.delete(removed);
    }
  }

  #push(slot: ListedMessage): void {
    if (!this.#places.has(slot.id)) this.#places.set(slot.id, this.#slots.length);
    this.#slots.push(slot);
  }
}
