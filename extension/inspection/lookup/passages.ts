import { type Entry, type Part, readableText } from '../../engine/conversation/entry';

/** A stretch of what one part of an entry says, verbatim. */
export interface Passage {
  readonly entry: Entry;
  readonly part: Part;
  readonly text: string;
}

/** Long enough to tell something, short enough to be one of several. In UTF-16 units. */
const passageLength = 800;

/** All that an entry says, part after part. */
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

/** After a paragraph, a line or a word, whichever comes late enough. */
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

/** Words that the person or the agent addresses to the other: no tool output, no thinking, no reminders. */
export function isSpoken({ entry, part }: Passage): boolean {
  return part.type === 'text' && (entry.role === 'assistant' || (entry.role === 'user' && !entry.injected));
}

/** Who says it, and to what end where that is not to be read by the other. */
export function speakerOf({ entry, part }: Pick<Passage, 'entry' | 'part'>): string {
  if (entry.summary) return 'summary by the agent';
  if (part.type === 'tool_result') return `result of ${part.name ?? 'a tool'}`;
  if (part.type === 'tool_call') return `${entry.role}, calls ${part.name}`;
  if (part.type === 'reasoning') return `${entry.role}, thinking`;
  return entry.injected ? 'user (injected)' : entry.role;
}
