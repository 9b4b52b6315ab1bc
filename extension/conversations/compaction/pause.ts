/**
 * Holds from the size of the context at which a compaction came to nothing until enough was added to it: the same again
 * would come to nothing again.
 */
export class Pause {
  /** Size of the context in tokens at the start of the pause; null without a pause. */
  #fruitlessAt: number | null = null;

  begin(tokens: number): void {
    this.#fruitlessAt = tokens;
  }

  end(): void {
    this.#fruitlessAt = null;
  }

  /** `enough`: tokens that must be added before the pause ends. */
  holds(tokens: number, enough: number): boolean {
    return this.#fruitlessAt !== null && tokens < this.#fruitlessAt + enough;
  }
}
