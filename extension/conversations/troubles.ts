/** Reports each problem once, and again only after a success in between. */
export class Troubles {
  readonly #reported = new Set<string>();

  constructor(private readonly notify: (message: string) => void) {}

  /** Problems with the same key count as the same problem. */
  tell(message: string, key = message): void {
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.notify(message);
  }

  over(): void {
    this.#reported.clear();
  }
}
