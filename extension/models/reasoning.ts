const opening = /^\s*<(think|thinking|reasoning)>/i;
const strayClosing = '</think>';

/**
 * Removes reasoning in tags from the beginning of an answer. While the tag is open, there is no answer yet. Some
 * templates open the tag in the prompt, so the text may contain only the closing tag.
 */
export function withoutReasoning(text: string): string {
  const [, tag] = opening.exec(text) ?? [];
  const closing = tag === undefined ? strayClosing : `</${tag}>`;
  const end = text.indexOf(closing);
  if (end === -1) return tag === undefined ? text : '';
  return text.slice(end + closing.length).trimStart();
}
