/** Only short strings can be names, so long ones are not copied. */
const longestName = 100;

/** A string of JSON that begins behind the quote at `start`: where it ends, and what it says if it can be a name. */
export function stringAt(text: string, start: number): { readonly name: string; readonly next: number } {
  let end = text.indexOf('"', start);
  while (isEscaped(text, end, start)) end = text.indexOf('"', end + 1);
  return { name: end - start <= longestName ? text.slice(start, end) : '', next: end + 1 };
}

function isEscaped(text: string, quote: number, start: number): boolean {
  let backslashes = 0;
  while (quote - backslashes > start && text[quote - backslashes - 1] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
