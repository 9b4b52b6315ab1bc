/** The value of a JSON text; undefined for text that is not JSON, such as a file that is being written. */
export function parsedJson(text: string): unknown {
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
