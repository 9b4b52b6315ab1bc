import { contentWords } from './content-words';
import { wordsOfCode } from './work/words-of-code';

/** What a statement says is no longer so: "switched from X to Y" → X; "Y instead of X" → X; "replaced X with Y" → X. */
const replacing: readonly RegExp[] = [
  /\b(?:switch|mov|chang|migrat|convert|renam)(?:e[ds]?|ed|es|ing)?\b[^.;]{0,60}?\bfrom ([^.;]+?) to\b/gi,
  /\breplac(?:ed|es|ing) ([^.;]+?) (?:with|by)\b/gi,
  /\b(?:instead of|rather than|in place of|no longer(?: \w+s)?|not .{0,20} any ?more) ([^.;,]+)/gi,
];

/** What a statement says was taken away, by its name in the code: "deleted `Foo`"; "`Foo` is gone"; "no `.foo-bar` rule". */
const taking: readonly RegExp[] = [
  /\b(?:removed|deleted|dropped|retired|no) (?:(?:the|its|all|old) )?[`.#]*(--?[\w-]+|[\w$]+(?:[.-][\w$]+)*)/gi,
  /[`.#]([\w$]+(?:[.-][\w$]+)*)`?(?: \w+){0,2} (?:is|are|was|were)(?: now)? (?:gone|removed|deleted|dropped)\b/gi,
];

/** Fewer words in common are not about the same thing. */
const minShared = 2;

/** A longer phrase is a whole story, and not the name of a thing. */
const maxWords = 8;

interface Said {
  readonly text: string;
  readonly entryId: string;
}

/** The statements that a later one replaces by its own words. In doubt none. */
export function replacedRemarks<T extends Said>(remarks: readonly T[]): ReadonlySet<T> {
  const replaced = new Set<T>();
  const byWord = new Map<string, T[]>();
  const words = new Map<T, ReadonlySet<string>>();
  for (const later of remarks) {
    for (const phrase of replacedIn(later.text)) {
      for (const earlier of byWord.get(phrase[0] ?? '') ?? []) {
        const isOther = earlier.entryId !== later.entryId;
        if (isOther && phrase.every((word) => words.get(earlier)?.has(word))) replaced.add(earlier);
      }
    }
    const own = new Set(contentWords(later.text));
    words.set(later, own);
    for (const word of own) append(byWord, word, later);
  }
  return replaced;
}

function append<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}

/**
 * What a text says is no longer so, each as the words that an earlier statement about it has: all content words, or the
 * names alone where it has several. "From Chakra's styled `TreeView`" is about Chakra and `TreeView`.
 */
export function replacedIn(text: string): readonly (readonly string[])[] {
  const taken = taking
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .flatMap(([, name = '']) => [...wordsOfCode(name)].map((code) => contentWords(code)))
    .filter(({ length }) => length === 1);
  return [...taken, ...phrasesReplacedIn(text)];
}

function phrasesReplacedIn(text: string): readonly (readonly string[])[] {
  return replacing
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .flatMap(([, found = '']) => {
      const phrase = found.replace(/\([^)]*\)/g, ' ');
      const named = contentWords([...phrase.matchAll(capitalised)].join(' '));
      return [contentWords(phrase), ...(named.length >= minNamed ? [named] : [])];
    })
    .filter(({ length }) => length >= minShared && length <= maxWords);
}

const capitalised = /\p{Lu}[\p{L}\p{N}]+/gu;
const minNamed = 2;
