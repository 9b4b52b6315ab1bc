/** Tells each trouble once, and again only after things have worked in between. */
export class Troubles {
  readonly #told = new Set<string>();

  constructor(private readonly notify: (message: string) => void) {}

  /** What has the same key is the same trouble, in other words perhaps. */
  tell(message: string, key = message): void {
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.notify(message);
  }

  over(): void {
    this.#told.clear();
  }
}
