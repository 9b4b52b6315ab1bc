/** A text retells another one if it has this share of its words, unless more is asked for. */
const shareOfWords = 0.4;

/** Shorter messages, such as "yes, go on", direct nothing by themselves. */
export const leastWords = 8;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'word' });

/** In characters: how much of a long text is looked up. */
const lookedUp = 4000;

/** The words of a text in lower case, in any language; for a long text, only those of its beginning. */
export function wordsOf(text: string): Set<string> {
  const found = [...segmenter.segment(text.slice(0, lookedUp).toLowerCase())].filter(({ isWordLike }) => isWordLike);
  return new Set(found.map(({ segment }) => segment));
}

/** A text that may say in its own words what others say. */
export class Retold {
  readonly #lower: string;

  constructor(text: string) {
    this.#lower = text.toLowerCase();
  }

  /** Whether the text has this share of another text's words, from 0 to 1. */
  has(text: string, share = shareOfWords): boolean {
    const own = [...wordsOf(text)];
    return own.filter((word) => this.#lower.includes(word)).length >= own.length * share;
  }
}
