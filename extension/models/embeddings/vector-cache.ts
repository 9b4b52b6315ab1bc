/** Vectors by text, as many as fit; the one that was asked for longest ago goes first. */
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

  /** A map keeps the order of insertion, so what is put in again is the newest. */
  #renew(text: string, vector: readonly number[]): void {
    this.#vectors.delete(text);
    this.#vectors.set(text, vector);
  }
}
