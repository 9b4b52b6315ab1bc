/** Follows each token in the bytes of a table. No token of several bytes contains it. */
const tokenEnd = 0xff;

/**
 * A vocabulary as bytes: its tokens of several bytes, the commonest first. Single bytes are left out, because each of them
 * is a token.
 */
export function tokenBytes(vocabulary: readonly (string | readonly number[])[]): Uint8Array {
  const encoder = new TextEncoder();
  const bytes = new Uint8Array(vocabulary.reduce((sum, { length }) => sum + 3 * length + 1, 0));
  let end = 0;
  for (const token of vocabulary) {
    let { length } = token;
    if (typeof token === 'string') length = encoder.encodeInto(token, bytes.subarray(end)).written;
    else bytes.set(token, end);
    if (length < 2) continue;
    bytes[end + length] = tokenEnd;
    end += length + 1;
  }
  return bytes.slice(0, end);
}

/** Finds tokens by their bytes. An index of integers takes a tenth of the memory and time of a map of texts. */
export class TokenTable {
  readonly #bytes: Uint8Array;
  /** Where a token begins, plus 1; 0 for a free slot. */
  readonly #slots: Int32Array;
  readonly #shift: number;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    // A token takes eight bytes on average, so less than half of the slots are used.
    this.#shift = Math.clz32(bytes.length / 4);
    this.#slots = new Int32Array(2 ** (32 - this.#shift));
    for (let start = 0, end = 0; start < bytes.length; start = end + 1) {
      end = bytes.indexOf(tokenEnd, start);
      this.#slots[this.#slotOf(bytes, start, end)] = start + 1;
    }
  }

  /** Its place in the table, counted from 1: the commoner a token, the lower. 0 if these bytes are not a token of several bytes. */
  find(text: Uint8Array, start: number, end: number): number {
    return this.#slots[this.#slotOf(text, start, end)] ?? 0;
  }

  /** The slot of this token, or the free one where it would be. */
  #slotOf(text: Uint8Array, start: number, end: number): number {
    const slots = this.#slots;
    let hash = 0;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ (text[at] ?? 0), 0x01000193);
    let slot = Math.imul(hash, 0x9e3779b1) >>> this.#shift;
    for (let known = slots[slot]; known; known = slots[slot]) {
      if (this.#isAt(known - 1, text, start, end)) return slot;
      slot = (slot + 1) & (slots.length - 1);
    }
    return slot;
  }

  #isAt(place: number, text: Uint8Array, start: number, end: number): boolean {
    const bytes = this.#bytes;
    let at = place;
    for (let other = start; other < end; other += 1, at += 1) if (bytes[at] !== text[other]) return false;
    return bytes[at] === tokenEnd;
  }
}

/** Greater than any place in a table. */
const noPlace = 0x7fffffff;

/** The number of tokens of a text: pairs of neighbours that are a token become one, the commonest first. */
export function tokensIn(bytes: Uint8Array, table: TokenTable): number {
  let count = bytes.length;
  if (count < 2 || table.find(bytes, 0, count) > 0) return Math.min(count, 1);
  /** Where each piece begins, and the place of the token that it forms with the next one. */
  const starts = Int32Array.from({ length: count + 1 }, (_, index) => index);
  const places = new Int32Array(count).fill(noPlace);
  const placeOfPair = (index: number) =>
    index + 2 > count ? noPlace : table.find(bytes, starts[index] ?? 0, starts[index + 2] ?? 0) || noPlace;
  for (let index = 0; index < count; index += 1) places[index] = placeOfPair(index);
  for (;;) {
    const best = lowest(places, count);
    if (best < 0) return count;
    starts.copyWithin(best + 1, best + 2, count + 1);
    places.copyWithin(best, best + 1, count);
    count -= 1;
    places[best] = placeOfPair(best);
    if (best > 0) places[best - 1] = placeOfPair(best - 1);
  }
}

/** The index of the lowest of the first `count` places; -1 if they are of no token. */
function lowest(places: Int32Array, count: number): number {
  let best = -1;
  let least = noPlace;
  for (let index = 0; index < count; index += 1) {
    const place = places[index] ?? noPlace;
    if (place >= least) continue;
    least = place;
    best = index;
  }
  return best;
}
