export function wordsOf(query: string): string[] {
  return query.toLowerCase().split(/\s+/).filter(Boolean);
}

export function haveAllWords(texts: readonly (string | null | undefined)[], words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const joined = texts.join(' ').toLowerCase();
  return words.every((word) => joined.includes(word));
}
