/** A cache of vectors by text that evicts the least recently used. */
export class VectorCache {
  readonly #vectors = new Map<string, readonly number[]>();

  constructor(readonly capacity: number) {}

  get(text: string): readonly number[] | undefined {
    const vector = this.#vectors.get(text);
    if (vector) this.#renew(text, vector);
    return vector;
  }

  set(text: string, vector: readonly number[]): void {
    this.#renew(text, vector);
    const [oldest] = this.#vectors.keys();
    if (this.#vectors.size > this.capacity && oldest !== undefined) this.#vectors.delete(oldest);
  }

  /** Maps keep insertion order, so re-inserting makes an entry the newest. */
  #renew(text: string, vector: readonly number[]): void {
    this.#vectors.delete(text);
    this.#vectors.set(text, vector);
  }
}
