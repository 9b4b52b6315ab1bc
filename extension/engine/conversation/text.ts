/** One line of at most `length` UTF-16 units; a longer text ends with an ellipsis. */
export function brief(text: string, length: number): string {
  const line = oneLine(text);
  return line.length <= length ? line : `${line.slice(0, length - 1).trimEnd()}…`;
}

export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

/** At most this many words; a longer text ends with an ellipsis. */
export function firstWords(text: string, count: number): string {
  const words = oneLine(text).split(' ');
  return words.length <= count ? words.join(' ') : `${words.slice(0, count).join(' ')}…`;
}

/** The distinct non-empty texts, in order of first appearance. */
export function unique(texts: readonly string[]): string[] {
  return [...new Set(texts.filter((text) => text !== ''))];
}

const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' });

/** The first sentence of the first line of a text, in whatever language it is. */
export function firstSentence(text: string): string {
  const [line = ''] = text.trim().split('\n');
  const [first] = sentences.segment(line);
  return first?.segment.trim() ?? '';
}
