/** In UTF-16 units. More than a row can show, and short enough to send for every row. */
const maxPreviewLength = 240;

/** Reads only the beginning of a text. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, maxPreviewLength * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= maxPreviewLength ? line : `${line.slice(0, maxPreviewLength - 1)}…`;
}

/** The first quoted line of a block, else its first content line, without tag, headings and list marks. */
export function blockPreview(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const quotation = lines.find((line) => /^> \S/.test(line))?.slice(2);
  const content = quotation ?? lines.find((line) => line !== '' && !/^(?:\[[A-Z ]+\]|#+\s|<\/?\w+>)/.test(line));
  return oneLine((content ?? lines[0] ?? '').replace(/^(?:[-*]|\d+\.)\s+/, ''));
}

/** The core's current goal, or its first content line. */
export function corePreview(text: string): string {
  const [, goal] = /## Current Goal\n(.+)/.exec(text) ?? [];
  const [, first] = /## .+\n(?:- )?(.+)/.exec(text) ?? [];
  return oneLine(goal ?? first ?? '');
}
