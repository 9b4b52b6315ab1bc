import type { Entry } from '../../engine/conversation/entry';

/** One message of the list that Gemini CLI keeps, as entries in the form in which they are sent. */
export interface Slot {
  readonly id: string;
  readonly entries: readonly Entry[];
}

/** The messages that Gemini CLI keeps, in their order. An id may stand there twice; then it means the first. */
export class MessageList {
  #slots: Slot[] = [];
  readonly #places = new Map<string, number>();

  get slots(): readonly Slot[] {
    return this.#slots;
  }

  put(slot: Slot): void {
    const place = this.#places.get(slot.id);
    if (place === undefined) this.#push(slot);
    else this.#slots[place] = slot;
  }

  replaceAll(slots: readonly Slot[]): void {
    this.#slots = [];
    this.#places.clear();
    for (const slot of slots) this.#push(slot);
  }

  /** Takes the message and all after it away; one that is not there takes everything. */
  rewindTo(id: string): void {
    const place = this.#places.get(id) ?? 0;
    for (const { id: removed } of this.#slots.splice(place)) {
      if ((this.#places.get(removed) ?? 0) >= place) this.#places.delete(removed);
    }
  }

  #push(slot: Slot): void {
    if (!this.#places.has(slot.id)) this.#places.set(slot.id, this.#slots.length);
    this.#slots.push(slot);
  }
}
