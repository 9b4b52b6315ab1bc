/** Reports each problem once, and again only after a success in between. */
export class Troubles {
  readonly #told = new Set<string>();

  constructor(private readonly notify: (message: string) => void) {}

  /** Problems with the same key count as the same problem. */
  tell(message: string, key = message): void {
    if (this.#told.has(key)) return;
    this.#told.add(key);
    this.notify(message);
  }

  over(): void {
    this.#told.clear();
  }
}
