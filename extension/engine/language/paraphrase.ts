import { likelyLines } from './likely-places';
import { holder } from './loss-report';
import { namesIn } from './names';
import { agrees, digitsOf, type Statement, statementIn } from './statement';
import { tellingWords, wordsIn } from './telling-words';

/** A paraphrase has this share of the telling words of what it paraphrases, in one place. */
const leastShared = 2 / 3;

/** With fewer telling words than this, what is there may be there by chance. */
const fewestTelling = 3;

/** A line whose names take this share of it lists names, and says nothing of what was done with them. */
const shareOfNames = 0.6;

/** A text that is asked for many others what it says of them. Built in time linear in the text. */
export class TextIndex {
  readonly #holds: (said: string) => boolean;
  readonly #pairs: ReadonlySet<string>;
  /** By telling word, the numbers of the lines that have it, ascending. */
  readonly #linesWith: ReadonlyMap<string, readonly number[]>;
  readonly #lines: readonly string[];
  readonly #wordsOfLines: readonly ReadonlySet<string>[];
  readonly #said = new Map<string, boolean>();
  readonly #statements = new Map<Place, Statement>();
  readonly #digits = new Map<Place, ReadonlySet<string>>();
  readonly #places = new Map<number, Place>();

  constructor(readonly text: string) {
    this.#holds = holder(text);
    this.#pairs = new Set(pairsIn(text));
    this.#lines = text.split('\n').filter((line) => line.trim() !== '');
    this.#wordsOfLines = this.#lines.map((line) => new Set(isListOfNames(line) ? [] : tellingWords(line)));
    this.#linesWith = linesByWord(this.#wordsOfLines);
  }

  /** Whether it stands here verbatim, but for white space. Looked for only where all pairs of its words stand here. */
  says(said: string): boolean {
    const known = this.#said.get(said);
    if (known !== undefined) return known;
    const answer = said.trim() !== '' && this.#hasPairsOf(said) && this.#holds(said);
    this.#said.set(said, answer);
    return answer;
  }

  #hasPairsOf(said: string): boolean {
    for (const pair of pairsIn(said)) if (!this.#pairs.has(pair)) return false;
    return true;
  }

  /**
   * Whether one place says it: has most of its telling words, every number and limit, and denies what it denies. Looks
   * at so many lines at most, whatever is asked.
   */
  paraphrases(said: string): boolean {
    const words = tellingWords(said);
    const statement = statementIn(said);
    return this.#placesOf(words).some((place) => agrees(statement, this.#statementOf(place)));
  }

  /** Whether one place has most of its telling words and every number of some length that stands by itself. */
  mentions(said: string): boolean {
    const words = tellingWords(said);
    const numbers = longNumbersIn(said);
    return this.#placesOf(words).some((place) => {
      const there = this.#digitsOf(place);
      return numbers.every((number) => there.has(number));
    });
  }

  /** The share of its telling words that stand anywhere here; 0 for a text that tells nothing. */
  share(said: string): number {
    const words = tellingWords(said);
    return words.length < fewestTelling ? 0 : this.#shared(words) / words.length;
  }

  #shared(words: readonly string[]): number {
    return words.filter((word) => this.#linesWith.has(word)).length;
  }

  /** Lines that have most of the words; two that follow each other, where neither has them alone. */
  #placesOf(words: readonly string[]): Place[] {
    if (words.length < fewestTelling) return [];
    const least = Math.max(fewestTelling, Math.ceil(words.length * leastShared));
    if (this.#shared(words) < least) return [];
    const isEnough = (...lines: number[]) => {
      const has = (word: string) => lines.some((line) => this.#wordsOfLines[line]?.has(word));
      return words.filter(has).length >= least;
    };
    const starts = likelyLines(words, least, this.#linesWith).flatMap((line) => [line - 1, line]);
    return [...new Set(starts)].flatMap((line) => {
      if (isEnough(line)) return this.#place(line, 1);
      return !isEnough(line + 1) && isEnough(line, line + 1) ? this.#place(line, 2) : [];
    });
  }

  #place(line: number, count: 1 | 2): Place {
    const key = line * 2 + count;
    const place = this.#places.get(key) ?? { text: this.#lines.slice(line, line + count).join('\n') };
    this.#places.set(key, place);
    return place;
  }

  #statementOf(place: Place): Statement {
    const statement = this.#statements.get(place) ?? statementIn(place.text);
    this.#statements.set(place, statement);
    return statement;
  }

  #digitsOf(place: Place): ReadonlySet<string> {
    const digits = this.#digits.get(place) ?? new Set(digitsIn(place.text));
    this.#digits.set(place, digits);
    return digits;
  }
}

/** A line, or two that follow each other; the same object each time. */
interface Place {
  readonly text: string;
}

/** Whether a text says in other words what a sentence says: told by the words that they share. */
export function isParaphrased(sentence: string, blockText: string): boolean {
  return new TextIndex(blockText).paraphrases(sentence);
}

/** Each word, and each word with the one before it. */
function* pairsIn(text: string): Generator<string> {
  let before: string | null = null;
  for (const word of wordsIn(text)) {
    yield word;
    if (before !== null) yield `${before} ${word}`;
    before = word;
  }
}

function linesByWord(lines: readonly ReadonlySet<string>[]): Map<string, number[]> {
  const byWord = new Map<string, number[]>();
  for (const [number, words] of lines.entries()) {
    for (const word of words) {
      const known = byWord.get(word);
      if (known) known.push(number);
      else byWord.set(word, [number]);
    }
  }
  return byWord;
}

function isListOfNames(line: string): boolean {
  const names = namesIn(line);
  return names.length > 2 && names.reduce((total, { text }) => total + text.length, 0) >= line.length * shareOfNames;
}

/** The places of an error, as in (8,49), are no such numbers. */
function longNumbersIn(said: string): string[] {
  return [...said.matchAll(/(?<!\S)\d[\d.,]*\d(?!\w)/g)].map(([number]) => digitsOf(number));
}

function digitsIn(text: string): string[] {
  return [...text.matchAll(/\d+(?:[.,]\d+)*/g)].map(([number]) => digitsOf(number));
}
