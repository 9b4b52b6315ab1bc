/** On one line, and cut with a mark where it is longer. In UTF-16 units. */
export function brief(text: string, length: number): string {
  const line = oneSpaced(text);
  return line.length <= length ? line : `${line.slice(0, length - 1).trimEnd()}…`;
}

export function oneSpaced(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** At most this many words, with a mark where there are more. */
export function firstWords(text: string, count: number): string {
  const words = oneSpaced(text).split(' ');
  return words.length <= count ? words.join(' ') : `${words.slice(0, count).join(' ')}…`;
}

/** Each once, where it first comes up; empty ones not at all. */
export function unique(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text) => text !== ''))];
}
