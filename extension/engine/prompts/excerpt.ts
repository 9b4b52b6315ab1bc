/** Of a text that is too long: the beginning and the end tell most, the beginning more. The rest is for the mark. */
const shares = { head: 0.6, tail: 0.3 };

/** A text of at most `most` UTF-16 units (and the mark), with what was left out of its middle counted in a mark. */
export function excerpt(text: string, most: number): string {
  if (text.length <= most) return text;
  if (most <= 0) return `[${text.length} characters left out]`;
  const head = wholeCharacters(text, Math.floor(most * shares.head));
  const tail = wholeCharacters(text, text.length - Math.floor(most * shares.tail));
  return `${text.slice(0, head)}\n[… ${tail - head} characters left out …]\n${text.slice(tail)}`;
}

/** A cut falls before a pair of surrogates, never into it. */
function wholeCharacters(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}
