import { contentWords } from './content-words';

/** What a statement says is no longer so: "switched from X to Y" → X; "Y instead of X" → X; "replaced X with Y" → X. */
const replacing: readonly RegExp[] = [
  /\b(?:switch|mov|chang|migrat|convert|renam)(?:e[ds]?|ed|es|ing)?\b[^.;]{0,60}?\bfrom ([^.;]+?) to\b/gi,
  /\breplac(?:ed|es|ing) ([^.;]+?) (?:with|by)\b/gi,
  /\b(?:instead of|rather than|in place of|no longer(?: \w+s)?|not .{0,20} any ?more) ([^.;,]+)/gi,
];

/** Fewer words in common are not about the same thing. */
const minShared = 2;

/** A longer phrase is a whole story, and not the name of a thing. */
const maxWords = 8;

interface Said {
  readonly text: string;
  readonly entryId: string;
}

/** The statements that a later one replaces by its own words. In doubt none. Linear in the number of replacing statements. */
export function replacedRemarks<T extends Said>(remarks: readonly T[]): ReadonlySet<T> {
  const replaced = new Set<T>();
  const words = new Map<T, ReadonlySet<string>>();
  for (const [at, later] of remarks.entries()) {
    const gone = replacedIn(later.text);
    for (const earlier of gone.length === 0 ? [] : remarks.slice(0, at)) {
      if (earlier.entryId === later.entryId || replaced.has(earlier)) continue;
      const own = words.get(earlier) ?? new Set(contentWords(earlier.text));
      words.set(earlier, own);
      if (gone.some((phrase) => phrase.every((word) => own.has(word)))) replaced.add(earlier);
    }
  }
  return replaced;
}

function replacedIn(text: string): string[][] {
  return replacing
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(([, phrase = '']) => contentWords(phrase.replace(/\([^)]*\)/g, ' ')))
    .filter(({ length }) => length >= minShared && length <= maxWords);
}
