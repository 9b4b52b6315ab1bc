import { count, omissionOf } from '../../engine/block/omission';
import { type Entry, toolCalls } from '../../engine/conversation/entry';
import { type PersonsAnswer, personsAnswers } from '../../engine/ledger/answers';
import { toolStepsOf } from '../../engine/ledger/steps';
import type { Marks } from './marks';
import { beginningOf, quotedWithin } from './quotation';
import type { Room } from './room';
import type { Quote, ToldTurn } from './told-turns';

/** Share of the room that one turn may take, and of a turn that the person's message may take. */
const shareOfTurn = 0.4;
const shareOfPrompt = 0.55;

/** A turn that would have to be shortened to fewer tokens than this is told in one line. */
const leastTokens = 110;

/** In characters: what one line shows of a request and of a reply. */
const briefly = 140;

/** Of the room: for the turns that are told in one line each. */
const shareOfLines = 0.3;

/**
 * Request and closing reply of each turn, word for word, oldest first. Room goes to the newest; a turn without room is one line,
 * and those before it are counted.
 */
export function earlierTurnsPart(turns: readonly ToldTurn[], room: Room, marks: Marks): string[] {
  const heading = '## Earlier turns';
  if (turns.length === 0 || !room.take([heading])) return [];
  const forLines = room.share(shareOfLines);
  const most = Math.max(leastTokens, Math.floor(room.left * (turns.length > 1 ? shareOfTurn : 1)));
  const whole: string[][] = [];
  let next = turns.length - 1;
  for (; next >= 0; next -= 1) {
    const lines = turnLines(turns[next], Math.min(most, room.left), room, marks);
    if (lines === null || !room.take(lines)) break;
    whole.unshift(lines);
  }
  // Where no turn can be told whole, the lines have all of the room.
  if (whole.length === 0) room.giveTo(forLines);
  const characters = charactersFor(forLines.left, next + 1);
  const brief: string[] = [];
  for (; next > 0 || (next === 0 && brief.length === 0 && (whole.length > 0 || turns.length === 1)); next -= 1) {
    const line = briefLine(turns[next], characters, marks);
    if (forLines.left - forLines.tokensOf([line]) < tokensOfCount + marks.tokens || !forLines.take([line])) break;
    brief.unshift(line);
  }
  const counted = next >= 0 ? [countedLine(turns.slice(0, next + 1), marks)] : [];
  forLines.take(counted);
  forLines.giveBack(room);
  const lines = [...counted, ...brief, ...whole.flat()];
  return lines.length === 0 ? [] : [heading, ...lines];
}

/** Kept free for the line that counts the rest. */
const tokensOfCount = 20;

/** Null if there is no room to say something. */
function turnLines(turn: ToldTurn | undefined, tokens: number, room: Room, marks: Marks): string[] | null {
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
  const made = `${callsText(calls)}${marks.after(idsOf(turn.entries.filter(isOfCall)))}`;
  if (reply === undefined) lines.push(calls > 0 ? `(${made}, no answer)` : '(no answer)');
  else if (!quote(calls > 0 ? `I, after ${made}:` : 'I:', reply, Math.max(0, left))) return null;
  const isShortened = lines.some((line) => line.startsWith('[…'));
  return room.tokensOf(lines) <= tokens && !(isShortened && tokens < leastTokens) ? lines : null;
}

/** Stands for a message that need not be told twice. */
export const promptInCore = 'User: (this message is in the protected core)';

/** Stands before the rest of a long message. */
export const restOfCore = 'User: (the beginning of this message is in the protected core; it goes on)';

/** Tokens of the labels around two quotations. */
const overhead = 16;

function callsText(calls: number): string {
  return count(calls, 'call');
}

export function answerLine({ kind, subject, text, entryId }: PersonsAnswer, marks: Marks): string {
  const beginning = (said: string, characters: number) => beginningOf({ text: said, entryId }, characters, marks);
  if (kind === 'refused') {
    const said = text === '' ? '' : `: ${beginning(text, 4 * briefly)}`;
    return `- User refused ${beginning(subject, briefly)}${said}`;
  }
  if (kind === 'answered') return `- User answered: ${beginning(text, 8 * briefly)}`;
  return `- User accepted this plan: ${beginning(text, 6 * briefly)}`;
}

/** In characters: what a line shows of a request and of a reply each, where so many turns share the room. */
function charactersFor(tokens: number, turns: number): number {
  const each = (tokens / Math.max(1, Math.min(turns, 4))) * charactersOfToken;
  return Math.round(Math.min(400, Math.max(briefly, each / 2)));
}

/** Counts the rest of a line, too. */
const charactersOfToken = 2.5;

/** Has one reference, for all of the turn. */
function briefLine(turn: ToldTurn | undefined, characters: number, marks: Marks): string {
  const { prompt = null, isInCore = false, replies = [], calls = 0, entries = [] } = turn ?? {};
  const beginning = ({ text }: Quote) => beginningOf({ text, entryId: '' }, characters, marks);
  const asked = isInCore ? promptInCore : prompt === null ? null : `User: ${beginning(prompt)}`;
  const reply = replies.at(-1);
  const answered = reply === undefined ? 'no answer' : `I: ${beginning(reply)}`;
  const line = `- ${[...(asked === null ? [] : [asked]), callsText(calls), answered].join(' · ')}`;
  return calls > 0 || line.includes('[…') || replies.length > 1 ? `${line}${marks.after(idsOf(entries))}` : line;
}

function countedLine(turns: readonly ToldTurn[], marks: Marks): string {
  const calls = turns.reduce((total, turn) => total + turn.calls, 0);
  const what = `${count(turns.length, 'earlier turn')} with ${callsText(calls)}`;
  return marks.of(what, idsOf(turns.flatMap(({ entries }) => entries)));
}

function idsOf(entries: readonly Entry[]): string[] {
  return entries.map(({ id }) => id);
}

function isOfCall({ role, parts }: Entry): boolean {
  return role === 'tool' || toolCalls(parts).length > 0;
}
