import { count, omissionOf } from '../../engine/block/omission';
import { type Entry, toolCalls } from '../../engine/conversation/entry';
import { isInterruption } from '../../engine/conversation/interruption';
import { type PersonsAnswer, personsAnswers } from '../../engine/ledger/answers';
import { toolStepsOf } from '../../engine/ledger/steps';
import type { Marks } from './marks';
import { beginningOf, quotedWithin } from './quotation';
import type { Quote, QuotedTurn } from './quoted-turns';
import type { Room } from './room';

/** Share of the room that one turn may take, and of a turn that the person's message may take. */
const shareOfTurn = 0.4;
const shareOfPrompt = 0.55;

/** A turn that would have to be shortened to fewer tokens than this gets one line. */
const leastTokens = 110;

/** In characters: what one line shows of a request and of a reply. */
const briefly = 140;

/** In characters: a request up to this length is shown whole in its line; a smaller length if there is no room for those of all turns. */
const wholeInLine = [600, 400, 260, briefly] as const;

/** Maximum number of lines if not all turns get one; more short messages in a row say little. */
const mostLines = 30;

/** Minimum tokens of a line: shows without building the lines that many turns do not fit. */
const tokensOfLine = 2;

/** In characters: a mark takes as much room as what it would leave out. */
const notWorthCutting = 70;

/**
 * Shares of the room for turns in one line each: the most if that is enough for all messages of the person, and some if
 * they do not all fit.
 */
const shareOfLines = { least: 0.3, some: 0.5, most: 0.8 };

/**
 * Request and closing reply of each turn, word for word, oldest first. Newer turns get room first, and the person's messages before
 * replies. A turn without room is one line; where not even that fits, the turns after the first are counted.
 */
export function earlierTurnsPart(turns: readonly QuotedTurn[], room: Room, marks: Marks): string[] {
  const heading = '## Earlier turns';
  if (turns.length === 0 || !room.take([heading])) return [];
  const forLines = room.share(shareFor(turns, room, marks));
  const most = Math.max(leastTokens, Math.floor(room.left * (turns.length > 1 ? shareOfTurn : 1)));
  const whole: string[][] = [];
  let next = turns.length - 1;
  for (; next >= 0; next -= 1) {
    const lines = turnLines(turns[next], Math.min(most, room.left), room, marks);
    if (lines === null || !room.take(lines)) break;
    whole.unshift(lines);
  }
  // If no turn fits whole, the lines get all of the room.
  if (whole.length === 0) room.giveTo(forLines);
  const lines = linesOf(turns.slice(0, next + 1), forLines, marks);
  forLines.take(lines);
  forLines.giveBack(room);
  return lines.length + whole.length === 0 ? [] : [heading, ...lines, ...whole.flat()];
}

function shareFor(turns: readonly QuotedTurn[], room: Room, marks: Marks): number {
  if (turns.length * tokensOfLine > room.left * shareOfLines.most) return shareOfLines.some;
  const share = (characters: number) =>
    room.tokensOf(turns.map((turn) => askedLine(turn, characters, marks))) / Math.max(1, room.left);
  if (share(briefly) > shareOfLines.most) return shareOfLines.some;
  return Math.min(shareOfLines.most, Math.max(shareOfLines.least, share(wholeInLine[0])));
}

/** A line for each turn: with the reply, else without it for the oldest, else for the first and the newest with the rest counted. */
function linesOf(turns: readonly QuotedTurn[], room: Room, marks: Marks): string[] {
  if (turns.length === 0) return [];
  if (turns.length * tokensOfLine > room.left) return countedAfterFirst(turns, room, marks);
  const characters = charactersFor(room.left, turns.length);
  const brief = turns.map((turn) => briefLine(turn, characters, marks));
  if (room.tokensOf(brief) <= room.left) return brief;
  for (const most of wholeInLine) {
    const lines = turns.map((turn) => askedLine(turn, most, marks));
    if (room.tokensOf(lines) <= room.left) return withReplies(lines, brief, room);
  }
  return countedAfterFirst(turns, room, marks);
}

/** Adds replies to the lines of the newest turns, as far as there is room. */
function withReplies(lines: readonly string[], brief: readonly string[], room: Room): string[] {
  const chosen = [...lines];
  for (let at = chosen.length - 1; at >= 0; at -= 1) {
    const before = chosen[at] ?? '';
    chosen[at] = brief[at] ?? before;
    if (room.tokensOf(chosen) <= room.left) continue;
    chosen[at] = before;
    break;
  }
  return chosen;
}

function countedAfterFirst(turns: readonly QuotedTurn[], room: Room, marks: Marks): string[] {
  const asked = (some: readonly QuotedTurn[]) => some.map((turn) => askedLine(turn, briefly, marks));
  const least = Math.max(1, turns.length - mostLines);
  const first = asked(turns.slice(0, 1));
  const newest = asked(turns.slice(least));
  const linesFrom = (from: number) => [
    ...first,
    ...(from > 1 ? [countedLine(turns.slice(1, from), marks)] : []),
    ...newest.slice(from - least),
  ];
  let from = turns.length;
  if (room.left < leastTokens || room.tokensOf(linesFrom(from)) > room.left) {
    const counted = [countedLine(turns, marks)];
    return room.tokensOf(counted) <= room.left ? counted : [];
  }
  while (from > least && room.tokensOf(linesFrom(from - 1)) <= room.left) from -= 1;
  return linesFrom(from);
}

/** Null if there is no room to say something. */
function turnLines(turn: QuotedTurn | undefined, tokens: number, room: Room, marks: Marks): string[] | null {
  if (turn === undefined || tokens <= overhead) return null;
  const { prompt, isInCore, continuesCore, summaries, calls, pictures, replies } = turn;
  const reply = replies.at(-1);
  const forPrompt = reply === undefined ? tokens - overhead : Math.floor((tokens - overhead) * shareOfPrompt);
  const lines: string[] = [];
  const quote = (label: string, text: Quote, most: number): boolean => {
    const said = quotedWithin(text, most, room, marks);
    if (said !== null) lines.push(label, ...said);
    return said !== null;
  };
  for (const summary of summaries) quote('My summary of what came before:', summary, forPrompt);
  if (isInCore) lines.push(promptInCore);
  else if (prompt !== null && prompt.text !== '' && !quote(continuesCore ? restOfCore : 'User:', prompt, forPrompt))
    return null;
  if (pictures > 0) lines.push(omissionOf(count(pictures, 'picture')));
  for (const answer of personsAnswers(toolStepsOf(turn.entries))) lines.push(answerLine(answer, marks));
  const left = tokens - overhead - room.tokensOf(lines);
  const made = `${count(calls, 'call')}${marks.after(idsOf(turn.entries.filter(isOfCall)))}`;
  if (reply === undefined) lines.push(calls > 0 ? `(${made}, ${withoutAnswer(turn)})` : `(${withoutAnswer(turn)})`);
  else if (!quote(calls > 0 ? `I, after ${made}:` : 'I:', reply, Math.max(0, left))) return null;
  const isShortened = lines.some((line) => line.startsWith('[…'));
  return room.tokensOf(lines) <= tokens && !(isShortened && tokens < leastTokens) ? lines : null;
}

/** A person who stopped the agent did not wait for one. */
function withoutAnswer(turn: QuotedTurn): string {
  return turn.entries.some(isInterruption) ? 'no answer: the user interrupted me' : 'no answer';
}

/** Replaces a message that is already in the protected core. */
export const promptInCore = 'User: (this message is in the protected core)';

/** Precedes the rest of a long message. */
export const restOfCore = 'User: (the beginning of this message is in the protected core; it goes on)';

/** Tokens of the labels around two quotations. */
const overhead = 16;

export function answerLine({ kind, subject, text, entryId }: PersonsAnswer, marks: Marks): string {
  const beginning = (said: string, characters: number) => beginningOf({ text: said, entryId }, characters, marks);
  if (kind === 'refused') {
    const said = text === '' ? '' : `: ${beginning(text, 4 * briefly)}`;
    return `- User refused ${beginning(subject, briefly)}${said}`;
  }
  if (kind === 'answered') return `- User answered: ${beginning(text, 8 * briefly)}`;
  return `- User accepted this plan: ${beginning(text, 6 * briefly)}`;
}

/** Characters that a line shows of a request and of a reply, if this many turns share the room. */
function charactersFor(tokens: number, turns: number): number {
  const each = (tokens / Math.max(1, Math.min(turns, 4))) * charactersOfToken;
  return Math.round(Math.min(400, Math.max(briefly, each / 2)));
}

/** Characters per token, including the rest of a line. */
const charactersOfToken = 2.5;

/** A line with one reference for the whole turn. */
function briefLine(turn: QuotedTurn, characters: number, marks: Marks): string {
  const { replies, calls, entries } = turn;
  const reply = replies.at(-1);
  const answered =
    reply === undefined ? withoutAnswer(turn) : `I: ${beginningOf({ ...reply, entryId: '' }, characters, marks)}`;
  const line = `- ${[...askedIn(turn, characters, marks), count(calls, 'call'), answered].join(' · ')}`;
  return calls > 0 || line.includes('[…') || replies.length > 1 ? `${line}${marks.after(idsOf(entries))}` : line;
}

/** The same line without the reply. */
function askedLine(turn: QuotedTurn, characters: number, marks: Marks): string {
  const calls = turn.calls > 0 ? [count(turn.calls, 'call')] : [];
  const line = `- ${[...askedIn(turn, characters, marks), ...calls].join(' · ') || '(nothing was said)'}`;
  return `${line}${marks.after(idsOf(turn.entries))}`;
}

function askedIn({ prompt, isInCore }: QuotedTurn, characters: number, marks: Marks): string[] {
  if (isInCore) return [promptInCore];
  if (prompt === null) return [];
  const most = prompt.text.length <= characters + notWorthCutting ? prompt.text.length : characters;
  return [`User: ${beginningOf({ ...prompt, entryId: '' }, most, marks)}`];
}

function countedLine(turns: readonly QuotedTurn[], marks: Marks): string {
  const calls = turns.reduce((total, turn) => total + turn.calls, 0);
  const what = `${count(turns.length, 'earlier turn')} with ${count(calls, 'call')}`;
  return marks.of(what, idsOf(turns.flatMap(({ entries }) => entries)));
}

function idsOf(entries: readonly Entry[]): string[] {
  return entries.map(({ id }) => id);
}

function isOfCall({ role, parts }: Entry): boolean {
  return role === 'tool' || toolCalls(parts).length > 0;
}
