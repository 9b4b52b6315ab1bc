/** The longest preview, in UTF-16 units. More than a row can show, little enough to send for every row. */
const longest = 240;

/** Only the beginning of a text is looked at: the rest cannot show. */
export function oneLine(text: string): string {
  const line = text
    .slice(0, longest * 4)
    .replace(/\s+/g, ' ')
    .trim();
  return line.length <= longest ? line : `${line.slice(0, longest - 1)}…`;
}

/** What a block is about: its first line of content, without tag, headings and list marks. */
export function blockPreview(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  const content = lines.find((line) => line !== '' && !/^(?:\[[A-Z ]+\]|#+\s|<\/?\w+>)/.test(line));
  return oneLine((content ?? lines[0] ?? '').replace(/^(?:[-*]|\d+\.)\s+/, ''));
}

/** The core's current goal, or else its first line of content. */
export function corePreview(text: string): string {
  const [, goal] = /## Current Goal\n(.+)/.exec(text) ?? [];
  const [, first] = /## .+\n(?:- )?(.+)/.exec(text) ?? [];
  return oneLine(goal ?? first ?? '');
}
