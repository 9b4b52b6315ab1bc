/**
 * Shares of the limit for the beginning and the end of a long text, the most telling parts. The rest is for the mark
 * between them.
 */
const shares = { head: 0.6, tail: 0.3 };

/** Shortens a text to `most` UTF-16 units plus a mark that says how much of its middle was left out. */
export function excerpt(text: string, most: number): string {
  if (text.length <= most) return text;
  if (most <= 0) return `[${text.length} characters left out]`;
  const head = wholeCharacters(text, Math.floor(most * shares.head));
  const tail = wholeCharacters(text, text.length - Math.floor(most * shares.tail));
  return `${text.slice(0, head)}\n[… ${tail - head} characters left out …]\n${text.slice(tail)}`;
}

/** Moves a cut out of a surrogate pair. */
function wholeCharacters(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
