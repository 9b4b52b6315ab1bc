/** Counts records by their type. The types come from a file, so they are never used as keys of a plain object. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(type: string): void {
    this.#counts.set(type, (this.#counts.get(type) ?? 0) + 1);
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }
}
