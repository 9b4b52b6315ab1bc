/** Names that are built as code is: `snake_case`, `camelCase`, `.class`, `--option`. Plain words are too common to tell. */
const word = /(?<![\w$])(?:\.|--)?[\p{L}_$][\p{L}\p{N}_$]*(?:-[\p{L}\p{N}_$]+)*/gu;
const built = /_\p{L}|\p{Ll}\p{Lu}|^--\p{L}{2}/u;

/** Each once. Linear in the length of the text. */
export function wordsOfCode(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(word)].map(([name]) => name.replace(/^\./, '')).filter((name) => built.test(name)));
}
