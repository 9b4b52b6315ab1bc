import type { Slot } from './slot';

/** A linked list that shares its tail with older states of the context; points to the older item. */
interface Link {
  readonly slot: Slot;
  readonly older: Link | null;
}

/**
 * Codex's context, message by message. A compaction starts a new list and a rollback returns to an older one, so both
 * cost only what they add.
 */
export class History {
  #newest: Link | null = null;
  /** The newest message before each of the person's prompts that was not rolled back. */
  readonly #beforePrompts: (Link | null)[] = [];
  /** Start of the current turn if it has no prompt of the person yet. */
  #turnStart: { readonly at: Link | null } | null = null;

  beginTurn(): void {
    this.#turnStart = { at: this.#newest };
  }

  /** Adds a prompt of the person. What Codex inserted before the first prompt survives every rollback. */
  prompt(slot: Slot): void {
    const isFirst = this.#beforePrompts.length === 0;
    this.#beforePrompts.push(isFirst || this.#turnStart === null ? this.#newest : this.#turnStart.at);
    this.#turnStart = null;
    this.add(slot);
  }

  newestIsPrompt(): void {
    if (this.#newest === null) return;
    const { slot, older } = this.#newest;
    this.#newest = older;
    this.prompt(slot);
  }

  add(slot: Slot): void {
    this.#newest = { slot, older: this.#newest };
  }

  replace(slots: readonly Slot[]): void {
    this.#newest = null;
    for (const slot of slots) this.add(slot);
  }

  /** Removes this number of the person's prompts, and everything after the first of them. */
  rollBack(turns: number): void {
    const first = Math.max(0, this.#beforePrompts.length - turns);
    const before = this.#beforePrompts[first];
    if (before === undefined) return;
    this.#newest = before;
    this.#beforePrompts.length = first;
    this.#turnStart = null;
  }

  /** Oldest first. */
  slots(): Slot[] {
    const slots: Slot[] = [];
    for (let link = this.#newest; link !== null; link = link.older) slots.push(link.slot);
    return slots.reverse();
  }
}
