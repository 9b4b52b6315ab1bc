/** Hands out ids that occur once in a conversation, even where the file repeats one. */
export class UniqueIds {
  /** Each id that is taken, with the number its next copy gets. */
  readonly #nextCopy = new Map<string, number>();

  /** The id itself, or the id with the first free number behind it. */
  claim(id: string): string {
    let copy = this.#nextCopy.get(id);
    if (copy === undefined) {
      this.#nextCopy.set(id, 2);
      return id;
    }
    while (this.#nextCopy.has(`${id}#${copy}`)) copy += 1;
    this.#nextCopy.set(id, copy + 1);
    this.#nextCopy.set(`${id}#${copy}`, 2);
    return `${id}#${copy}`;
  }

  has(id: string): boolean {
    return this.#nextCopy.has(id);
  }
}
