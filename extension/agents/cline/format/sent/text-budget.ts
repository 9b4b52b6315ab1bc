import { sentPrompt } from '../content';
import { type CutMark, cutMiddle } from './cut';
import { bytesOf } from './stale-content';
import { mapTexts, type TextKind } from './texts';

/** Maximum total size of the texts of a request, in bytes. */
const maximumText = 6_000_000;

const resultMark: CutMark = (count) => `\n\n...[truncated ${count} chars to fit provider request budget]...\n\n`;

const replyMark: CutMark = (count) =>
  `\n\n...[assistant text truncated: omitted ${count} chars to fit provider request budget]...\n\n`;

/** The kinds of text that may be shortened. Lower ranks come first; `least` is the number of bytes always kept. */
const shortenable: Readonly<Partial<Record<TextKind, { rank: number; least: number; mark: CutMark }>>> = {
  reply: { rank: 0, least: 40_000, mark: replyMark },
  result: { rank: 0, least: 2000, mark: resultMark },
  input: { rank: 1, least: 2000, mark: resultMark },
};

interface MessageContent {
  readonly role: unknown;
  readonly content: unknown;
  /** Total size of its texts in bytes. */
  readonly bytes: number;
}

export function textBytes(role: unknown, content: unknown): number {
  let bytes = 0;
  mapTexts(role, content, (text, kind) => {
    bytes += bytesOf(kind === 'prompt' ? sentPrompt(text) : text);
    return text;
  });
  return bytes;
}

/** The contents of messages. If the request is too large, the longest texts are shortened first. */
export function withinBudget(messages: readonly MessageContent[]): readonly unknown[] {
  let excess = messages.reduce((sum, { bytes }) => sum + bytes, -maximumText);
  if (excess <= 0) return messages.map(({ content }) => content);
  const shortened = new Map<string, string>();
  for (const { place, text, bytes, least, mark } of candidatesIn(messages)) {
    if (excess <= 0) break;
    const left = cutToBytes(text, Math.max(least, bytes - excess), mark);
    shortened.set(place, left);
    excess -= bytes - bytesOf(left);
  }
  if (shortened.size === 0) return messages.map(({ content }) => content);
  return messages.map((message, index) => mapPlaces(message, index, (text, place) => shortened.get(place) ?? text));
}

interface Candidate {
  readonly place: string;
  readonly text: string;
  readonly bytes: number;
  readonly rank: number;
  readonly least: number;
  readonly mark: CutMark;
}

function candidatesIn(messages: readonly MessageContent[]): Candidate[] {
  const candidates: Candidate[] = [];
  for (const [index, message] of messages.entries()) {
    mapPlaces(message, index, (text, place, kind) => {
      const limits = shortenable[kind];
      const bytes = limits === undefined ? 0 : bytesOf(text);
      if (limits !== undefined && bytes > limits.least) candidates.push({ place, text, bytes, ...limits });
      return text;
    });
  }
  return candidates.sort((one, other) => one.rank - other.rank || other.bytes - one.bytes);
}

function mapPlaces(
  { role, content }: Pick<MessageContent, 'role' | 'content'>,
  index: number,
  change: (text: string, place: string, kind: TextKind) => string,
): unknown {
  let number = 0;
  return mapTexts(role, content, (text, kind) => {
    number += 1;
    return change(text, `${index}:${number}`, kind);
  });
}

/** The longest cut of a text within the limit, in bytes. */
function cutToBytes(text: string, maximum: number, mark: CutMark): string {
  let best = cutMiddle(text, 0, mark);
  let least = 0;
  let limit = text.length;
  while (least <= limit) {
    const middle = Math.floor((least + limit) / 2);
    const cut = cutMiddle(text, middle, mark);
    if (bytesOf(cut) <= maximum) {
      best = cut;
      least = middle + 1;
    } else {
      limit = middle - 1;
    }
  }
  return best;
}
