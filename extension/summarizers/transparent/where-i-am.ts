import { count, omissionOf } from '../../engine/block/omission';
import type { Entry } from '../../engine/conversation/entry';
import { isInterruption } from '../../engine/conversation/interruption';
import { firstSentence } from '../../engine/conversation/text';
import { personsAnswers } from '../../engine/ledger/answers';
import { type PlanItem, planOf } from '../../engine/ledger/plan';
import { type ToolStep, toolStepsOf } from '../../engine/ledger/steps';
import { answerLine, promptInCore } from './earlier-turns';
import { beginningOf, quotedWithin } from './quotation';
import type { Room } from './room';
import type { Quote, ToldTurn } from './told-turns';

/** Shares of the room. */
const shares = { request: 0.35, newestWords: 0.35, words: 0.6 };

/** Shares of the room for the agent's words that one of its texts may take. */
const textShares = { last: 0.7, before: 0.34 };

const subjectLength = 100;

const boxes: Readonly<Record<PlanItem['state'], string>> = { done: '[x]', 'in progress': '[~]', pending: '[ ]' };

/** Where the work of the newest turn stands, told once, the newest last. */
export function whereIAmPart(turn: ToldTurn, steps: readonly ToolStep[], room: Room): string[] {
  const heading = '## Where I am';
  if (!room.take([heading])) return [];
  const request = requestLines(turn, room);
  const todo = takenFrom(todoLines(steps), room);
  const own = toolStepsOf(turn.entries);
  const open = takenFrom(
    [...personsAnswers(own).map(answerLine), ...openCalls(own), ...interruptions(turn.entries)],
    room,
  );
  const newest = newestWords(turn.replies, room);
  const words = earlierWords(turn.replies.slice(0, turn.replies.length - newest.texts), room);
  const lines = [...request, ...words, ...todo, ...open, ...newest.lines];
  return lines.length === 0 ? [] : [heading, ...lines];
}

function requestLines({ prompt, isInCore, summaries, pictures }: ToldTurn, room: Room): string[] {
  const most = Math.floor(room.left * shares.request);
  const quote = (label: string, { text }: Quote) => {
    const said = text === '' ? null : quotedWithin(text, most, room);
    return said === null ? [] : [label, ...said];
  };
  const lines = [
    ...summaries.flatMap((summary) => quote('My summary of what came before:', summary)),
    ...(isInCore ? [promptInCore] : prompt === null ? [] : quote('The newest request:', prompt)),
    ...(pictures > 0 ? [omissionOf(count(pictures, 'picture'))] : []),
  ];
  return room.take(lines) ? lines : [];
}

/** The agent's last texts, whole, or shortened where they are long, as many as there is room for. */
function newestWords(replies: readonly Quote[], room: Room): { readonly lines: string[]; readonly texts: number } {
  const most = Math.floor(room.left * shares.newestWords);
  const lines: string[] = [];
  let texts = 0;
  const own = room.share(shares.newestWords);
  for (const { text } of replies.toReversed()) {
    const said = quotedWithin(text, Math.floor(most * (texts === 0 ? textShares.last : textShares.before)), own);
    const spaced = texts === 0 ? said : said && [...said, ''];
    if (spaced === null || !own.take(spaced)) break;
    lines.unshift(...spaced);
    texts += 1;
  }
  room.giveBack(own);
  const label = texts === 1 ? 'What I said last:' : `My last ${texts} texts:`;
  return texts > 0 && room.take([label]) ? { lines: [label, ...lines], texts } : { lines: [], texts: 0 };
}

/** The first sentence of each text before them. */
function earlierWords(replies: readonly Quote[], room: Room): string[] {
  const label = 'What I said before that, the first sentence of each text:';
  const own = room.share(shares.words);
  const lines: string[] = [];
  let next = replies.length - 1;
  if (next >= 0 && own.take([label, omissionOf(count(replies.length, 'text'))])) {
    for (; next >= 0; next -= 1) {
      const line = `- ${beginningOf(firstSentence(replies[next]?.text ?? ''), 2 * subjectLength)}`;
      if (!own.take([line])) break;
      lines.unshift(line);
    }
  }
  room.giveBack(own);
  if (lines.length === 0) return [];
  return next >= 0 ? [label, omissionOf(count(next + 1, 'text')), ...lines] : [label, ...lines];
}

function todoLines(steps: readonly ToolStep[]): string[] {
  const plan = planOf(steps);
  if (plan.length === 0) return [];
  return ['My to-do list:', ...plan.map(({ state, text }) => `- ${boxes[state]} ${text}`)];
}

/** Calls whose results are not there. */
function openCalls(steps: readonly ToolStep[]): string[] {
  return steps
    .filter(({ result }) => result === null)
    .map(({ call, subject }) => `- No result yet: ${call.name} ${beginningOf(subject, subjectLength)}`);
}

function interruptions(entries: readonly Entry[]): string[] {
  return isInterruption(entries.at(-1)) ? ['- The user interrupted me here.'] : [];
}

/** The lines if there is room for all of them, else as many of the last as there is room for. */
function takenFrom(lines: readonly string[], room: Room): string[] {
  if (lines.length === 0 || room.take(lines)) return [...lines];
  const taken: string[] = [];
  for (const line of [...lines].reverse()) {
    if (!room.take([line])) break;
    taken.unshift(line);
  }
  return taken;
}
