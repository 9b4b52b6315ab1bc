/** Counts records by their type. The types come out of the file, so they never become keys of a plain object here. */
export class Tally {
  readonly #counts = new Map<string, number>();

  add(type: string): void {
    this.#counts.set(type, (this.#counts.get(type) ?? 0) + 1);
  }

  counts(): Record<string, number> {
    return Object.fromEntries(this.#counts);
  }
}
