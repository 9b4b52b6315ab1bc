/** All terms of an item must be within this many UTF-16 units in one section of a text. */
const reach = 400;

/**
 * A term may be the beginning of a word, but not its end. Terms up to this length must be whole words, and no digit may
 * follow a number.
 */
const shortWord = 3;

/** The beginning of a section: a Markdown heading, or a line that is one tag. The text is in lower case. */
const sectionStart = /^(?=#{1,6} |<\/?[\w-]+>$|\[[a-z ]+\]$)/m;

export interface Place {
  /** The text from the first to the last term, with some text around it. */
  readonly text: string;
}

/** The first place in a text where all terms of an item are close together; null if there is none. */
export function placeOf(text: string, terms: readonly string[]): Place | null {
  return new SearchedText(text).placeOf(terms);
}

/** A text in which many items are searched. */
export class SearchedText {
  readonly #parts: readonly string[];

  constructor(text: string) {
    this.#parts = plain(text).split(sectionStart);
  }

  holds(terms: readonly string[]): boolean {
    return this.placeOf(terms) !== null;
  }

  placeOf(terms: readonly string[]): Place | null {
    const patterns = terms.map(patternOf);
    for (const part of this.#parts) {
      const place = placeIn(part, patterns);
      if (place !== null) return place;
    }
    return null;
  }
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[‘’]/g, "'").replace(/[“”]/g, '"');
}

/** The alternatives of a term, separated by `|`. */
function patternOf(term: string): RegExp {
  const alternatives = term.split('|').map((alternative) => bounded(plain(alternative)));
  return new RegExp(alternatives.join('|'), 'g');
}

function bounded(word: string): string {
  const start = /^[a-z0-9]/.test(word) ? '(?<![a-z0-9])' : '';
  const end = /[0-9]$/.test(word) ? '(?![0-9])' : /[a-z]$/.test(word) && word.length <= shortWord ? '(?![a-z0-9])' : '';
  return start + word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + end;
}

interface Hit {
  readonly term: number;
  readonly start: number;
  readonly end: number;
}

/** Moves a window over the hits of all terms. */
function placeIn(part: string, patterns: readonly RegExp[]): Place | null {
  const hits: Hit[] = [];
  for (const [term, pattern] of patterns.entries()) {
    const found = [...part.matchAll(pattern)];
    if (found.length === 0) return null;
    hits.push(...found.map(({ 0: text, index }) => ({ term, start: index, end: index + text.length })));
  }
  hits.sort((a, b) => a.start - b.start);
  const within = new Map<number, number>();
  let first = 0;
  for (const hit of hits) {
    within.set(hit.term, (within.get(hit.term) ?? 0) + 1);
    for (let oldest = hits[first]; oldest && hit.end - oldest.start > reach; oldest = hits[++first]) {
      const left = (within.get(oldest.term) ?? 0) - 1;
      if (left === 0) within.delete(oldest.term);
      else within.set(oldest.term, left);
    }
    const start = hits[first]?.start;
    if (within.size === patterns.length && start !== undefined) return { text: around(part, start, hit.end) };
  }
  return null;
}

/** Number of characters before and after a place that belong to it: the rest of its sentence. */
const margin = 80;

/**
 * A mark at the beginning of a line applies to the whole line, up to this length in UTF-16 units: paragraphs are lines
 * too.
 */
const longestLine = 400;

function around(part: string, start: number, end: number): string {
  const line = part.lastIndexOf('\n', start) + 1;
  return part.slice(Math.min(Math.max(0, start - margin), start - line <= longestLine ? line : start), end + margin);
}

/** Words with which a text says that a statement no longer holds. */
const over =
  /no longer|not any ?more|supersed|outdated|obsolete|withdrawn|taken back|revert|replaced|instead|earlier|previously|formerly|at first|until|turned out|later|since then|then changed|(?<!not )(?:fixed|resolved|solved)|now passes|ended|→|->/;

export function isMarkedAsOver({ text }: Place): boolean {
  return over.test(text);
}
