import { sha256 } from '@noble/hashes/sha2.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** A seeded random number generator. The same purpose and seed give the same numbers on every machine. */
export class Random {
  readonly #generator;

  /** `purpose` keeps two uses of one seed independent. */
  constructor(purpose: string, seed: number) {
    const bytes = sha256(utf8ToBytes(`${purpose} ${seed}`));
    this.#generator = xoroshiro128plus(new DataView(bytes.buffer, bytes.byteOffset).getInt32(0));
  }

  /** From 0 to `count - 1`. */
  below(count: number): number {
    return uniformInt(this.#generator, 0, count - 1);
  }

  /** A random item. Throws `RangeError` for an empty list. */
  oneOf<T>(items: readonly T[]): T {
    const item = items[this.below(Math.max(1, items.length))];
    if (item === undefined) throw new RangeError('There is nothing to choose from.');
    return item;
  }

  /** All items in random order (Fisher-Yates). */
  shuffled<T>(items: readonly T[]): T[] {
    const left = [...items];
    const order: T[] = [];
    while (left.length > 0) order.push(...left.splice(this.below(left.length), 1));
    return order;
  }
}
