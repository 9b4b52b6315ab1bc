const opening = /^\s*<(think|thinking|reasoning)>/i;
const strayClosing = '</think>';

/**
 * An answer without the reasoning that some models write before it, as tags in the text. While the tag is open, there is
 * no answer yet. Some templates open the tag in the prompt, so that the text holds the closing tag alone.
 */
export function withoutReasoning(text: string): string {
  const [, tag] = opening.exec(text) ?? [];
  const closing = tag === undefined ? strayClosing : `</${tag}>`;
  const end = text.indexOf(closing);
  if (end === -1) return tag === undefined ? text : '';
  return text.slice(end + closing.length).trimStart();
}
