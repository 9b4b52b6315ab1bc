import { holder } from './loss-report';
import { namesIn } from './names';
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
  readonly #said = new Map<string, boolean>();

  constructor(readonly text: string) {
    this.#holds = holder(text);
    this.#pairs = new Set(pairsIn(text));
    this.#lines = text.split('\n').filter((line) => line.trim() !== '');
    this.#linesWith = linesByWord(this.#lines);
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

  /** Whether one place, two lines at most, has most of its telling words and every number that stands by itself. */
  paraphrases(said: string): boolean {
    const words = tellingWords(said);
    if (words.length < fewestTelling) return false;
    const least = Math.max(fewestTelling, Math.ceil(words.length * leastShared));
    if (this.#shared(words) < least) return false;
    const counts = this.#countsByLine(words);
    const numbers = numbersIn(said);
    for (const [line, count] of counts) {
      if (count >= least && numbers.every((number) => this.#hasNumber(line, number))) return true;
    }
    return false;
  }

  /** The share of its telling words that stand anywhere here; 0 for a text that tells nothing. */
  share(said: string): number {
    const words = tellingWords(said);
    return words.length < fewestTelling ? 0 : this.#shared(words) / words.length;
  }

  #shared(words: readonly string[]): number {
    return words.filter((word) => this.#linesWith.has(word)).length;
  }

  /** By line, how many of the words it and the line after it have. */
  #countsByLine(words: readonly string[]): Map<number, number> {
    const counts = new Map<number, number>();
    for (const word of words) {
      let last = -1;
      for (const line of this.#linesWith.get(word) ?? []) {
        for (const start of [line - 1, line]) {
          if (start > last && start >= 0) counts.set(start, (counts.get(start) ?? 0) + 1);
        }
        last = line;
      }
    }
    return counts;
  }

  #hasNumber(line: number, number: string): boolean {
    return `${this.#lines[line]} ${this.#lines[line + 1] ?? ''}`.includes(number);
  }
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

function linesByWord(lines: readonly string[]): Map<string, number[]> {
  const byWord = new Map<string, number[]>();
  for (const [number, line] of lines.entries()) {
    for (const word of isListOfNames(line) ? [] : tellingWords(line)) {
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

/** “Under 200 lines” is not said by “under 300 lines”. The places of an error, as in (8,49), are no such numbers. */
function numbersIn(said: string): string[] {
  return [...said.matchAll(/(?<!\S)\d[\d.,]*\d(?!\w)/g)].map(([number]) => number);
}
