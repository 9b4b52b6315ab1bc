/** The text that a prompt quotes under a title such as "the record". */
export function quotedAs(title: string, prompt: string): string {
  const opening = new RegExp(`the mark ([0-9a-f]{16}): ${title}\\.\\n`).exec(prompt);
  if (!opening) throw new Error(`Nothing is quoted as ${title}.`);
  const begin = `BEGIN QUOTATION ${opening[1]}\n`;
  const start = prompt.indexOf(begin, opening.index) + begin.length;
  return prompt.slice(start, prompt.indexOf(`\nEND QUOTATION ${opening[1]}`, start));
}
