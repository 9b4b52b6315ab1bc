import { candidateLines } from './candidate-lines';
import { contentWords, wordsIn } from './content-words';
import { phraseMatcher } from './loss-report';
import { namesIn } from './names';
import { agrees, digitsOf, type Statement, statementIn } from './statement';

/** A paraphrase has at least this share of the original's content words in one place. */
const minShare = 2 / 3;

/** Fewer content words than this may match by chance. */
const minContentWords = 3;

/** If names take up at least this share of a line, it is a list of names and states nothing about them. */
const minShareOfNames = 0.6;

/** An index of one text for many look-ups. Built in time linear in the text. */
export class TextIndex {
  readonly #matches: (phrase: string) => boolean;
  readonly #pairs: ReadonlySet<string>;
  /** Ascending numbers of the lines that contain a content word. */
  readonly #linesWith: ReadonlyMap<string, readonly number[]>;
  readonly #lines: readonly string[];
  readonly #wordsOfLines: readonly ReadonlySet<string>[];
  readonly #contained = new Map<string, boolean>();
  readonly #statements = new Map<Place, Statement>();
  readonly #digits = new Map<Place, ReadonlySet<string>>();
  readonly #places = new Map<number, Place>();

  constructor(readonly text: string) {
    this.#matches = phraseMatcher(text);
    this.#pairs = new Set(pairsIn(text));
    this.#lines = text.split('\n').filter((line) => line.trim() !== '');
    this.#wordsOfLines = this.#lines.map((line) => new Set(isListOfNames(line) ? [] : contentWords(line)));
    this.#linesWith = linesByWord(this.#wordsOfLines);
  }

  /**
   * Whether the text contains the phrase verbatim, ignoring white space. Searches only if the text contains all of its
   * word pairs.
   */
  contains(phrase: string): boolean {
    const known = this.#contained.get(phrase);
    if (known !== undefined) return known;
    const answer = phrase.trim() !== '' && this.#hasPairsOf(phrase) && this.#matches(phrase);
    this.#contained.set(phrase, answer);
    return answer;
  }

  #hasPairsOf(phrase: string): boolean {
    for (const pair of pairsIn(phrase)) if (!this.#pairs.has(pair)) return false;
    return true;
  }

  /**
   * Whether one place paraphrases the sentence: it has most of its content words, all its numbers and limits, and the
   * same negations. The number of lines searched is limited.
   */
  paraphrases(sentence: string, leastShare = minShare): boolean {
    const words = contentWords(sentence);
    const statement = statementIn(sentence);
    return this.#placesOf(words, leastShare).some((place) => agrees(statement, this.#statementOf(place)));
  }

  /** Whether one place has most of the content words and all longer standalone numbers of the sentence. */
  mentions(sentence: string): boolean {
    const words = contentWords(sentence);
    const numbers = longNumbersIn(sentence);
    return this.#placesOf(words).some((place) => {
      const there = this.#digitsOf(place);
      return numbers.every((number) => there.has(number));
    });
  }

  /** The share of the sentence's content words that appear anywhere in the text; 0 if it has too few content words. */
  overlap(sentence: string): number {
    const words = contentWords(sentence);
    return words.length < minContentWords ? 0 : this.#shared(words) / words.length;
  }

  #shared(words: readonly string[]): number {
    return words.filter((word) => this.#linesWith.has(word)).length;
  }

  /** Lines that have most of the words, or two adjacent lines that have them together. */
  #placesOf(words: readonly string[], leastShare = minShare): Place[] {
    if (words.length < minContentWords) return [];
    const least = Math.max(minContentWords, Math.ceil(words.length * leastShare));
    if (this.#shared(words) < least) return [];
    const isEnough = (...lines: number[]) => {
      const has = (word: string) => lines.some((line) => this.#wordsOfLines[line]?.has(word));
      return words.filter(has).length >= least;
    };
    const starts = candidateLines(words, least, this.#linesWith).flatMap((line) => [line - 1, line]);
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

/** One line, or two adjacent ones. Always the same object for the same lines. */
interface Place {
  readonly text: string;
}

/** Whether a text says the same as a sentence in other words, judged by the words that they share. */
export function isParaphrased(sentence: string, blockText: string): boolean {
  return new TextIndex(blockText).paraphrases(sentence);
}

/** Each word, and each pair of adjacent words. */
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
  return names.length > 2 && names.reduce((total, { text }) => total + text.length, 0) >= line.length * minShareOfNames;
}

/** Standalone numbers of two or more digits. Positions such as (8,49) in an error are none. */
function longNumbersIn(sentence: string): string[] {
  return [...sentence.matchAll(/(?<!\S)\d[\d.,]*\d(?!\w)/g)].map(([number]) => digitsOf(number));
}

function digitsIn(text: string): string[] {
  return [...text.matchAll(/\d+(?:[.,]\d+)*/g)].map(([number]) => digitsOf(number));
}
