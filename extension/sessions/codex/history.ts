import type { Slot } from './slot';

/** The context as a list that is shared with what it was before: leading to the older item. */
interface Link {
  readonly slot: Slot;
  readonly older: Link | null;
}

/**
 * What Codex has in its context, message by message. A compaction begins a list of its own, and a rollback goes back to
 * an older one, so that neither costs more than it adds.
 */
export class History {
  #newest: Link | null = null;
  /** The newest message before each prompt of the person that stands. */
  readonly #beforePrompts: (Link | null)[] = [];
  /** Where the turn began that no prompt of the person was seen in yet. */
  #turnStart: { readonly at: Link | null } | null = null;

  beginTurn(): void {
    this.#turnStart = { at: this.#newest };
  }

  /** What Codex put in before the first prompt stays, whatever is rolled back. */
  prompt(slot: Slot): void {
    const isFirst = this.#beforePrompts.length === 0;
    this.#beforePrompts.push(isFirst || this.#turnStart === null ? this.#newest : this.#turnStart.at);
    this.#turnStart = null;
    this.add(slot);
  }

  /** Marks the newest message as a prompt of the person. */
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

  /** Removes this many prompts of the person, with everything after them. */
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
