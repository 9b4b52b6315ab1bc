/**
 * Holds from the size of the context at which a compaction came to nothing until enough was added to it: the same again
 * would come to nothing again.
 */
export class Pause {
  /** In tokens; null while it does not hold. */
  #fruitlessAt: number | null = null;

  begin(tokens: number): void {
    this.#fruitlessAt = tokens;
  }

  end(): void {
    this.#fruitlessAt = null;
  }

  /** `enough` is what must have been added, in tokens. */
  holds(tokens: number, enough: number): boolean {
    return this.#fruitlessAt !== null && tokens < this.#fruitlessAt + enough;
  }
}
