import { count } from '../../engine/block/omission';
import { isLive, isTurnCut, recordContinues, saysThatRecordContinues } from '../../engine/block/record-continues';
import type { Summarizer, Summary, SummaryRequest } from '../../engine/block/summary';
import { replacedEntries } from '../../engine/compaction/request';
import { planNamedIn } from '../../engine/ledger/plan';
import { toolStepsOf } from '../../engine/ledger/steps';
import { stillHolding } from '../../engine/ledger/still-holding';
import { callsPart } from './calls';
import { commandsPart } from './commands';
import { earlierTurnsPart } from './earlier-turns';
import { filesPart } from './files';
import { Marks } from './marks';
import { beginningOf } from './quotation';
import { type QuotedTurn, quotedTurns } from './quoted-turns';
import { Room } from './room';
import { openToDoPart } from './to-do-list';
import { whereIAmPart } from './where-i-am';

/**
 * Needs no model: messages are quoted verbatim, omissions are marked in place, and the effects of tool calls are
 * listed. Nothing is guessed from wording (docs/specification.md, "Without a model").
 */
export const transparentSummarizer: Summarizer = {
  name: 'transparent',
  model: null,
  concurrency: 1,
  async summarize(request, signal) {
    await otherWork();
    signal.throwIfAborted();
    return transparentSummary(request);
  },
};

/** Yields between two blocks to pending work, such as a keystroke in the editor or Ctrl+C. */
function otherWork(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

/** Shares of the room, in the order in which the parts take it. */
const shares = { whereIAm: 0.5, toDo: 0.2, commands: 0.25, files: 0.35 };

/** The lower bound of comparisons only quotes messages, without a ledger of tool calls. */
const proseOnly = 'naive';

/** Counted tokens of the empty lines between parts. */
const betweenParts = 8;

export function transparentSummary(request: SummaryRequest): Summary {
  return { body: bodyOf(request), spans: [], tokensSpent: { input: 0, output: 0 }, promptHash: null };
}

function bodyOf(request: SummaryRequest): string {
  const turns = quotedTurns(request);
  const room = new Room(request.maxTokens - betweenParts, request.countTokens);
  const marks = new Marks(request, room);
  const isNewest = isLive(request);
  const live = isNewest || isTurnCut(request) ? turns.at(-1) : undefined;
  const end = saysThatRecordContinues(request) && room.take([recordContinues]) ? [recordContinues] : [];
  const earlier = live === undefined ? turns : turns.slice(0, -1);
  const entries = replacedEntries(request);
  const context = request.context ?? entries;
  const steps = stillHolding(toolStepsOf(entries), context);
  const plan = planNamedIn(entries, context);
  const now =
    live === undefined
      ? []
      : partIn(room, earlier.length > 0 ? shares.whereIAm : 0.75, (own) =>
          whereIAmPart(live, { isNewest, plan }, own, marks),
        );
  const hasLedger = request.summaryType !== proseOnly;
  const toDo = hasLedger && live === undefined ? partIn(room, shares.toDo, (own) => openToDoPart(plan, own)) : [];
  const commands = hasLedger ? partIn(room, shares.commands, (own) => commandsPart(steps, own)) : [];
  const files = hasLedger ? partIn(room, shares.files, (own) => filesPart(steps, own)) : [];
  const past = earlierTurnsPart(
    earlier.filter(({ prompt, replies, summaries }) => prompt ?? replies[0] ?? summaries[0]),
    room,
    marks,
  );
  const calls =
    hasLedger && (live !== undefined || request.summaryType === 'tool_call_batch') ? callsPart(steps, room, marks) : [];
  const parts = [past, files, commands, calls, toDo, now].filter((lines) => lines.length > 0);
  if (parts.length === 0) return shortest(turns, request, marks);
  return [...marks.howToFor(parts.flat()), ...parts.map((lines) => lines.join('\n')), ...end].join('\n\n');
}

function partIn(room: Room, share: number, part: (own: Room) => string[]): string[] {
  const own = room.share(share);
  const lines = part(own);
  room.giveBack(own);
  return lines;
}

/** For minimal room: what was asked last, or what was called. */
function shortest(turns: readonly QuotedTurn[], { maxTokens, countTokens }: SummaryRequest, marks: Marks): string {
  const prompt = turns.findLast((turn) => turn.prompt !== null && turn.prompt.text !== '')?.prompt;
  const said = prompt ?? turns.at(-1)?.replies.at(-1) ?? { text: '', entryId: '' };
  const calls = turns.reduce((total, turn) => total + turn.calls, 0);
  const ids = turns.flatMap(({ entries }) => entries.map(({ id }) => id));
  const counted = marks.of(`${count(turns.length, 'turn')} with ${count(calls, 'call')}`, ids);
  const howTo = marks
    .howToFor([counted])
    .map((line) => `\n${line}`)
    .join('');
  for (let characters = 160; characters >= 20 && said.text !== ''; characters = Math.floor(characters / 2)) {
    const line = `- ${beginningOf({ ...said, entryId: '' }, characters, marks)} ${counted}${howTo}`;
    if (countTokens(line) <= maxTokens) return line;
  }
  return `${counted}${howTo}`;
}
