/** The value of a JSON text; undefined for text that is not JSON, such as a file that is being written. */
export function parsedJson(text: string): unknown {
  if (isNoJson(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The input of a tool. If the text is not JSON, the text itself is the input. */
export function parsedOrText(text: string): unknown {
  const value = parsedJson(text);
  return value === undefined ? text : value;
}

/** The position after the quotation mark that ends a string; null if none does. `inside`: a position in the string. */
export function endOfString(text: string, inside: number): number | null {
  for (let quote = text.indexOf('"', inside); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text.charCodeAt(before) === backslash) before -= 1;
    // An even number of backslashes escapes only backslashes.
    if ((quote - before) % 2 === 1) return quote + 1;
  }
  return null;
}

const backslash = 0x5c;
const space = /\s/;
const beginsJson = /[{["\d\-tfn]/;

/** By the first character, because a failed attempt takes as long as parsing some kilobytes. */
function isNoJson(text: string): boolean {
  const first = text.charAt(0);
  return first !== '' && !beginsJson.test(first) && !space.test(first);
}
