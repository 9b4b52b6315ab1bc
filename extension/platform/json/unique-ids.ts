/** An id that was assigned, and what is needed to release it. */
export interface ClaimedId {
  readonly id: string;
  readonly wanted: string;
  readonly nextCopyBefore: number | undefined;
}

/** Assigns ids that are unique in a conversation, even if the file repeats one. */
export class UniqueIds {
  /** Each id that is taken, with the number its next copy gets. */
  readonly #nextCopy = new Map<string, number>();

  /** The id itself, or the id followed by the first free number. */
  claim(id: string): string {
    return this.take(id).id;
  }

  /** Like `claim`, for an id that may be released. */
  take(wanted: string): ClaimedId {
    const nextCopyBefore = this.#nextCopy.get(wanted);
    if (nextCopyBefore === undefined) {
      this.#nextCopy.set(wanted, 2);
      return { id: wanted, wanted, nextCopyBefore };
    }
    let copy = nextCopyBefore;
    while (this.#nextCopy.has(`${wanted}#${copy}`)) copy += 1;
    const id = `${wanted}#${copy}`;
    this.#nextCopy.set(wanted, copy + 1);
    this.#nextCopy.set(id, 2);
    return { id, wanted, nextCopyBefore };
  }

  /** Releases the newest claim that was not released yet, which restores the state before it. */
  handBack({ id, wanted, nextCopyBefore }: ClaimedId): void {
    this.#nextCopy.delete(id);
    if (nextCopyBefore !== undefined) this.#nextCopy.set(wanted, nextCopyBefore);
  }

  has(id: string): boolean {
    return this.#nextCopy.has(id);
  }
}
