import { count, omissionOf } from '../../engine/block/omission';
import { isInterruption } from '../../engine/conversation/interruption';
import { firstSentence } from '../../engine/conversation/text';
import { personsAnswers } from '../../engine/ledger/answers';
import type { PlanItem } from '../../engine/ledger/plan';
import { type ToolStep, toolStepsOf } from '../../engine/ledger/steps';
import { answerLine, promptInCore, restOfCore } from './earlier-turns';
import type { Marks } from './marks';
import { beginningOf, quotedWithin } from './quotation';
import type { Quote, QuotedTurn } from './quoted-turns';
import type { Room } from './room';
import { toDoLines } from './to-do-list';

/** Shares of the room. */
const shares = { request: 0.35, newestWords: 0.35, words: 0.6 };

/** Shares of the room for the agent's words that one of its texts may take. */
const textShares = { last: 0.7, before: 0.34 };

const subjectLength = 100;

/** An older turn that continues after the block has the same form, because its closing reply is there. */
const headings = { newest: '## Where I am', older: '## In this turn' };

/** The state of the newest turn's work, each thing once, the newest last. */
export function whereIAmPart(
  turn: QuotedTurn,
  { isNewest, plan }: { readonly isNewest: boolean; readonly plan: readonly PlanItem[] },
  room: Room,
  marks: Marks,
): string[] {
  const heading = isNewest ? headings.newest : headings.older;
  if (!room.take([heading])) return [];
  const request = requestLines(turn, isNewest ? 'The newest request:' : 'User:', room, marks);
  const todo = room.takeLast(toDoLines(plan));
  const own = toolStepsOf(turn.entries);
  const open = room.takeLast([
    ...personsAnswers(own).map((answer) => answerLine(answer, marks)),
    ...openCalls(own, marks),
    ...(isInterruption(turn.entries.at(-1)) ? ['- The user interrupted me here.'] : []),
  ]);
  const newest = newestWords(turn.replies, room, marks);
  const words = earlierWords(turn.replies.slice(0, turn.replies.length - newest.texts), room, marks);
  const lines = [...request, ...words, ...todo, ...open, ...newest.lines];
  return lines.length === 0 ? [] : [heading, ...lines];
}

function requestLines(
  { prompt, isInCore, continuesCore, summaries, pictures, notes }: QuotedTurn,
  label: string,
  room: Room,
  marks: Marks,
): string[] {
  const most = Math.floor(room.left * shares.request);
  const quote = (title: string, text: Quote) => {
    const said = text.text === '' ? null : quotedWithin(text, most, room, marks);
    return said === null ? [] : [title, ...said];
  };
  const lines = [
    ...summaries.flatMap((summary) => quote('My summary of what came before:', summary)),
    ...(isInCore ? [promptInCore] : prompt === null ? [] : quote(continuesCore ? restOfCore : label, prompt)),
    ...(pictures > 0 ? [omissionOf(count(pictures, 'picture'))] : []),
    ...(notes.length > 0
      ? [
          marks.of(
            count(notes.length, 'program note'),
            notes.map(({ id }) => id),
          ),
        ]
      : []),
  ];
  return room.take(lines) ? lines : [];
}

/** The agent's last texts, whole, or shortened where they are long, as many as there is room for. */
function newestWords(
  replies: readonly Quote[],
  room: Room,
  marks: Marks,
): { readonly lines: string[]; readonly texts: number } {
  const own = room.share(shares.newestWords);
  const most = own.left;
  const lines: string[] = [];
  let texts = 0;
  for (const text of replies.toReversed()) {
    const tokens = Math.floor(most * (texts === 0 ? textShares.last : textShares.before));
    const said = quotedWithin(text, tokens, own, marks);
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
function earlierWords(replies: readonly Quote[], room: Room, marks: Marks): string[] {
  const label = 'What I said before that, the first sentence of each text:';
  const own = room.share(shares.words);
  const lines: string[] = [];
  let next = replies.length - 1;
  const mark = next < 0 ? null : own.reserve([label, omissionOf(count(replies.length, 'text'))], marks.tokens);
  for (; next >= 0 && mark !== null; next -= 1) {
    const { text = '', entryId = '' } = replies[next] ?? {};
    const line = sentenceLine({ text, entryId }, marks);
    if (!own.take([line])) break;
    lines.unshift(line);
  }
  const left = replies.slice(0, next + 1).map(({ entryId }) => entryId);
  const lead = next >= 0 ? [label, marks.of(count(next + 1, 'text'), left)] : [label];
  if (lines.length > 0) mark?.take(lead);
  if (mark !== null) own.giveBack(mark);
  room.giveBack(own);
  return lines.length === 0 ? [] : [...lead, ...lines];
}

/** The number of a list alone says nothing. */
function firstWords(text: string): string {
  const sentence = firstSentence(text);
  return /\p{L}/u.test(sentence) ? sentence : (text.trim().split('\n')[0] ?? '');
}

/** The first sentence of a text, with a reference if the text is longer. */
function sentenceLine({ text, entryId }: Quote, marks: Marks): string {
  const sentence = firstWords(text);
  const isWhole = sentence === text.trim();
  const shown = beginningOf({ text: sentence, entryId: '' }, 2 * subjectLength, marks);
  return `- ${shown}${isWhole ? '' : marks.after([entryId])}`;
}

function openCalls(steps: readonly ToolStep[], marks: Marks): string[] {
  return steps
    .filter(({ result }) => result === null)
    .map(({ call, subject, entryIds: [entryId = ''] }) => {
      return `- No result yet: ${call.name} ${beginningOf({ text: subject, entryId }, subjectLength, marks)}`;
    });
}
