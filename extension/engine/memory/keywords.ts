import { unique } from '../conversation/text';
import { namesIn } from '../language/names';

const stopWords = new Set(
  (
    'about after again all also and any are because been before being but can could did does done each for from get got ' +
    'had has have here how into its just keep let like made make more must need never new not now off old one only ' +
    'other our out over own please same see should since so some still such than that the their them then there these ' +
    'they this those through too under until use used uses using very want was way were what when where which while who ' +
    'why will with without work works would you your was edited written changed failed printed run looked called'
  ).split(' '),
);

const word = /[\p{L}\p{N}_$][\p{L}\p{N}_$'’-]*[\p{L}\p{N}_$]/gu;

const maxKeywords = 6;

/** Ranks the words of a text by their importance among all the texts. */
export class Keywords {
  /** By name: how many of the texts have it. */
  readonly #names = new Map<string, number>();
  readonly #textsWith = new Map<string, number>();

  constructor(readonly texts: readonly string[]) {
    for (const text of texts) {
      const names = namesIn(text).map((name) => name.text.replace(/\(\)$/, ''));
      for (const name of new Set(names)) this.#names.set(name, (this.#names.get(name) ?? 0) + 1);
      for (const known of new Set(wordsOf(text))) this.#textsWith.set(known, (this.#textsWith.get(known) ?? 0) + 1);
    }
  }

  /** Names first, by the number of texts that have them; then words, by their frequency here and rarity elsewhere. */
  of(text: string): string[] {
    const names = this.#namesIn(text);
    const inNames = names.join(' ').toLowerCase();
    return [...names, ...this.#wordsIn(text).filter((found) => !inNames.includes(found))].slice(0, maxKeywords);
  }

  #namesIn(text: string): string[] {
    const named = unique([...text.matchAll(/[\w$@~./-]+/g)].map(([name]) => name.replace(/[./-]+$/, '')));
    const known = named
      .flatMap((name) => ({ name, weight: this.#names.get(name) ?? 0 }))
      .filter(({ weight }) => weight > 0)
      .sort((a, b) => b.weight - a.weight || (a.name < b.name ? -1 : 1))
      .map(({ name }) => name.slice(name.lastIndexOf('/') + 1))
      .slice(0, maxKeywords / 2);
    return unique(known);
  }

  #wordsIn(text: string): string[] {
    const counts = new Map<string, number>();
    for (const found of wordsOf(text)) counts.set(found, (counts.get(found) ?? 0) + 1);
    return [...counts]
      .map(([found, count]) => ({ found, score: count * this.#rarity(found) }))
      .sort((a, b) => b.score - a.score || (a.found < b.found ? -1 : 1))
      .map(({ found }) => found);
  }

  #rarity(found: string): number {
    return Math.log(1 + this.texts.length / (1 + (this.#textsWith.get(found) ?? 0)));
  }
}

function wordsOf(text: string): string[] {
  return [...text.toLowerCase().matchAll(word)].map(([found]) => found).filter((found) => isKeyword(found));
}

function isKeyword(found: string): boolean {
  return found.length >= 3 && !stopWords.has(found) && /\p{L}/u.test(found);
}
