import type { VerbatimFate } from '../block/loss';

/** Texts are looked up by this many characters of their beginning. */
const keyLength = 12;

/**
 * Maximum number of places compared per beginning; one that occurs more often, such as a banner, distinguishes nothing.
 */
const mostPlaces = 50;

/** A text in which others are looked up word for word, whatever white space and quotation marks surround them. */
export class VerbatimText {
  readonly #text: string;
  readonly #places = new Map<string, number[]>();
  readonly #known = new Map<string, VerbatimFate>();
  #sortedKeys: readonly string[] | null = null;

  constructor(text: string) {
    this.#text = folded(text);
    for (let at = this.#text === '' ? -1 : 0; at !== -1; at = this.#nextWord(at)) {
      const key = this.#text.slice(at, at + keyLength);
      const places = this.#places.get(key);
      if (places) places.push(at);
      else this.#places.set(key, [at]);
    }
  }

  /** -1 if there is none. */
  #nextWord(from: number): number {
    const space = this.#text.indexOf(' ', from);
    return space === -1 ? -1 : space + 1;
  }

  /** Takes time linear in the text that is looked up, unless many texts begin alike. */
  fateOf(text: string): VerbatimFate {
    const wanted = folded(text);
    if (wanted === '') return 'gone';
    const known = this.#known.get(wanted);
    if (known !== undefined) return known;
    const fate = this.#lookUp(wanted);
    this.#known.set(wanted, fate);
    return fate;
  }

  #lookUp(wanted: string): VerbatimFate {
    const places = wanted.length < keyLength ? this.#placesOfShort(wanted) : this.#placesOf(wanted);
    if (places.some((at) => this.#hasWhole(wanted, at))) return 'whole';
    return places.slice(0, mostPlaces).some((at) => this.#breaksOff(wanted, at)) ? 'shortened' : 'gone';
  }

  #placesOf(wanted: string): readonly number[] {
    return this.#places.get(wanted.slice(0, keyLength)) ?? [];
  }

  /** Keys are sorted: a space and most punctuation sort before letters, so keys in which the text is a whole word come first. */
  #placesOfShort(wanted: string): number[] {
    this.#sortedKeys ??= [...this.#places.keys()].sort();
    const keys = this.#sortedKeys;
    const found: number[] = [];
    for (let at = firstFrom(keys, wanted); found.length < mostPlaces; at += 1) {
      const key = keys[at];
      if (!key?.startsWith(wanted)) break;
      found.push(...(this.#places.get(key) ?? []).slice(0, mostPlaces - found.length));
    }
    return found;
  }

  #hasWhole(wanted: string, at: number): boolean {
    return this.#text.startsWith(wanted, at) && !continuesWord(this.#text[at + wanted.length]);
  }

  /** Whether the text contains its beginning followed by an omission mark. */
  #breaksOff(wanted: string, at: number): boolean {
    let length = 0;
    while (length < wanted.length && this.#text[at + length] === wanted[length]) length += 1;
    return /^\s?(?:\[…|…)/.test(this.#text.slice(at + length, at + length + 3));
  }
}

/** Index of the first key that does not sort before this text. */
function firstFrom(keys: readonly string[], text: string): number {
  let [low, high] = [0, keys.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((keys[middle] ?? '') < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

function continuesWord(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_]/u.test(character);
}

/** Without the marks of quoted lines, and with single spaces. */
export function folded(text: string): string {
  return text
    .toWellFormed()
    .replace(/^[ \t]*(?:>[ \t]?)+/gm, '')
    .replace(/[“”]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
