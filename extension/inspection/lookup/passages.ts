import { type Entry, type Part, readableText } from '../../engine/conversation/entry';

/** A verbatim section of one part of an entry. */
export interface Passage {
  readonly entry: Entry;
  readonly part: Part;
  readonly text: string;
}

/** Target length of a passage in UTF-16 units: long enough to be meaningful, short enough to list several. */
const passageLength = 800;

/** The text of all parts of an entry. */
export function textOfEntry({ parts }: Entry): string {
  return parts
    .map(readableText)
    .filter((text) => text !== '')
    .join('\n');
}

export function passagesOf(entry: Entry): Passage[] {
  return entry.parts.flatMap((part) => stretchesOf(readableText(part)).map((text) => ({ entry, part, text })));
}

function stretchesOf(text: string): string[] {
  const stretches: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = endOfStretch(text, start);
    stretches.push(text.slice(start, end));
    start = end;
  }
  return stretches.filter((stretch) => stretch.trim() !== '');
}

/** Cuts after a paragraph, a line or a word, whichever comes late enough. */
function endOfStretch(text: string, start: number): number {
  const limit = start + passageLength;
  if (text.length <= limit) return text.length;
  const earliest = start + passageLength / 2;
  for (const mark of ['\n\n', '\n', ' ']) {
    const end = text.lastIndexOf(mark, limit - mark.length) + mark.length;
    if (end > earliest) return end;
  }
  const code = text.charCodeAt(limit - 1);
  return code >= 0xd800 && code <= 0xdbff ? limit - 1 : limit;
}

/** Text that the user and the agent address to each other: no tool output, no reasoning, no reminders. */
export function isSpoken({ entry, part }: Passage): boolean {
  return part.type === 'text' && (entry.role === 'assistant' || (entry.role === 'user' && !entry.injected));
}

/** The speaker, and the purpose of text that is not addressed to the other side. */
export function speakerOf({ entry, part }: Pick<Passage, 'entry' | 'part'>): string {
  if (entry.summary) return 'summary by the agent';
  if (part.type === 'tool_result') return `result of ${part.name ?? 'a tool'}`;
  if (part.type === 'tool_call') return `${entry.role}, calls ${part.name}`;
  if (part.type === 'reasoning') return `${entry.role}, thinking`;
  return entry.injected ? 'user (injected)' : entry.role;
}

/** File and line of an entry's record; a database has no lines. */
export function placeOf({ origin: { file, line } }: Pick<Entry, 'origin'>): string {
  return line === 0 ? file : `${file}:${line}`;
}
