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

/** What most texts that are not JSON show at their beginning: a failed attempt takes as long as parsing kilobytes. */
function isNoJson(text: string): boolean {
  const first = /[^ \t\r\n]/.exec(text.slice(0, 100))?.[0];
  return first !== undefined && !/[{["\d\-tfn]/.test(first);
}
