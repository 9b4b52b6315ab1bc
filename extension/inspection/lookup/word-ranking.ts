import { setImmediate } from 'node:timers/promises';

interface RankedText {
  /** Index in the given texts. */
  readonly index: number;
  /** BM25 score, above zero. */
  readonly score: number;
}

/** The usual constants of Okapi BM25: saturation of word frequency, and normalization by text length. */
const saturation = 1.2;
const lengthNorm = 0.75;

/** Number of texts processed before yielding to other work of the process. */
const textsAtOnce = 400;

interface Counted {
  readonly length: number;
  readonly counts: readonly number[];
}

/** The texts that share words with a query, best first; equal scores keep their order. */
export async function rankByWords(
  query: string,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<readonly RankedText[]> {
  const wanted = [...new Set(termsOf(query).filter((term) => !common.has(term)))];
  if (wanted.length === 0) return [];
  const counted = await countTerms(wanted, texts, signal);
  const weights = wanted.map((_, term) => rarity(counted, term));
  const average = counted.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counted.length);
  return counted
    .map((text, index) => ({ index, score: scoreOf(text, weights, average) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.index - b.index);
}

async function countTerms(wanted: readonly string[], texts: readonly string[], signal: AbortSignal) {
  const places = new Map(wanted.map((term, place) => [term, place]));
  const counted: Counted[] = [];
  for (const [index, text] of texts.entries()) {
    if (index % textsAtOnce === textsAtOnce - 1) await setImmediate();
    signal.throwIfAborted();
    counted.push(countText(places, text));
  }
  return counted;
}

function countText(places: ReadonlyMap<string, number>, text: string): Counted {
  const counts = new Array<number>(places.size).fill(0);
  const terms = termsOf(text);
  for (const term of terms) {
    const place = places.get(term);
    if (place !== undefined) counts[place] = (counts[place] ?? 0) + 1;
  }
  return { length: terms.length, counts };
}

function rarity(counted: readonly Counted[], term: number): number {
  const having = counted.filter(({ counts }) => (counts[term] ?? 0) > 0).length;
  return Math.log(1 + (counted.length - having + 0.5) / (having + 0.5));
}

function scoreOf({ length, counts }: Counted, weights: readonly number[], average: number): number {
  const norm = saturation * (1 - lengthNorm + (lengthNorm * length) / Math.max(1, average));
  return counts.reduce(
    (sum, count, term) => sum + ((weights[term] ?? 0) * count * (saturation + 1)) / (count + norm),
    0,
  );
}

/** `maxRetries`, `max_retries` and `src/maxRetries.ts` contain the same terms. */
const word = /\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+(?!\p{Ll})|\p{N}+|\p{Lo}+/gu;

function termsOf(text: string): string[] {
  return [...text.matchAll(word)].flatMap(([found]) => (isUnspaced(found) ? pairsOf(found) : [stem(found)]));
}

/** Scripts without spaces between words. */
function isUnspaced(found: string): boolean {
  return /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u.test(found);
}

function pairsOf(found: string): string[] {
  const characters = [...found];
  if (characters.length === 1) return characters;
  return characters.slice(1).map((character, index) => `${characters[index]}${character}`);
}

/** Removes common endings. A rough stemmer, applied equally to query and text. */
function stem(found: string): string {
  const small = found.toLowerCase();
  if (small.length < 5) return small;
  return small
    .replace(/ies$/, 'y')
    .replace(/(?:ing|ed|es|s)$/, '')
    .replace(/(?<=\w{4})e$/, '');
}

const common = new Set(
  (
    'a an and any are as at be been but by can could did do does for from had has have how i if in into is it its me my ' +
    'of on or our should so that the their them then there these they this those to up was we were what when where ' +
    'which who why will with would you your about'
  )
    .split(' ')
    .map(stem),
);
