import { oneLine } from '../../engine/conversation/text';
import type { Marks } from './marks';
import type { Quote } from './quoted-turns';
import type { Room } from './room';

/** Share of a shortened text that is its beginning; the rest is its end. */
const shareOfBeginning = 0.6;

/** A text in fewer characters than this says nothing. */
const leastCharacters = 80;

const quotationMark = '> ';

/** A text word for word, each line marked as quoted. */
function quoted(text: string): string[] {
  return text
    .trim()
    .replace(/\n{3,}/g, '\n\n')
    .split('\n')
    .map((line) => `${quotationMark}${line.trimEnd()}`.trimEnd());
}

/** A text in at most this many tokens, shortened in the middle if it is longer; null if even that does not fit. */
export function quotedWithin({ text, entryId }: Quote, tokens: number, room: Room, marks: Marks): string[] | null {
  const whole = text.trim();
  const mark = (characters: number) => marks.characters(characters, entryId);
  const lines = quoted(whole);
  const taken = room.tokensOf(lines);
  if (taken <= tokens) return lines;
  for (let characters = Math.floor((whole.length * tokens) / taken); characters >= leastCharacters; ) {
    const shortened = shortenedTo(whole, characters, mark);
    if (room.tokensOf(shortened) <= tokens) return shortened;
    characters = Math.floor(characters * 0.85);
  }
  return null;
}

/** Beginning and end of a text in about so many characters, with a mark between them that says how many are missing. */
function shortenedTo(text: string, characters: number, markOf: (characters: number) => string): string[] {
  const beginning = text.slice(0, endOfWord(text, Math.floor(characters * shareOfBeginning))).trimEnd();
  const end = text.slice(startOfWord(text, text.length - Math.floor(characters * (1 - shareOfBeginning)))).trimStart();
  return [...quoted(beginning), markOf(text.length - beginning.length - end.length), ...quoted(end)];
}

/** How far a cut may move to fall between two words; languages without spaces are cut between characters. */
const nearby = 40;

function endOfWord(text: string, at: number): number {
  const space = text.slice(Math.max(0, at - nearby), at + 1).search(/\s\S*$/);
  return space === -1 ? wholeCharacter(text, at) : Math.max(0, at - nearby) + space;
}

function startOfWord(text: string, at: number): number {
  const space = text.slice(at, at + nearby).search(/\s/);
  return space === -1 ? wholeCharacter(text, at) : at + space;
}

/** Never between the halves of a surrogate pair. */
function wholeCharacter(text: string, at: number): number {
  return /[\uDC00-\uDFFF]/.test(text[at] ?? '') ? at - 1 : at;
}

/** The beginning of a text on one line, in quotation marks. */
export function beginningOf({ text, entryId }: Quote, characters: number, marks: Marks): string {
  const line = oneLine(text);
  if (line.length <= characters) return `“${line}”`;
  const beginning = line.slice(0, endOfWord(line, characters)).trimEnd();
  return `“${beginning}” ${marks.characters(line.length - beginning.length, entryId)}`;
}
