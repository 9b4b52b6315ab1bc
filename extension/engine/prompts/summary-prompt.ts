import type { Prompt } from '../block/language-model';
import type { RequestedTurn, SummaryRequest } from '../block/summary';
import { coversTurns } from '../conversation/context';
import { type Entry, readableText } from '../conversation/entry';
import { brief } from '../conversation/text';
import { escapedForQuotation, quotation } from '../language/quotation';
import { type Continuation, continuationOf } from './continuation';
import { endOfRecord, followingPart } from './end-of-record';
import { excerpt } from './excerpt';
import { operationPieces, turnPieces } from './history';
import { type Piece, textWithin } from './pieces';
import { attentionPart, corePart, handoffGoalPart, liveGoalPart, orderPart } from './surroundings';
import { taskParts } from './task';
import type { MemoryPlace } from './update';
import { handoffVoice, memoryVoice, quotationRule } from './voice';

export interface PromptOptions {
  /** Maximum tokens of the prompt, counted with the request's counter. */
  readonly maxPromptTokens: number;
  /** The model is asked in the conversation itself, so that the prompt only says where in it the record is. */
  readonly isRecordAbove?: true;
}

/** Minimum tokens for the history. A window that has no room for them is too small for summaries. */
export const minHistoryTokens = 500;

export const recordTitle = 'the record';

/** Maximum share of a prompt for summaries that the new one continues. */
const shareOfEarlier = 0.5;

/** Maximum share of a prompt for the messages that follow the record. */
const shareOfFollowing = 0.2;

/** The prompt for a summary. Linear in the number of entries. */
export function promptFor(request: SummaryRequest, { maxPromptTokens, isRecordAbove }: PromptOptions): Prompt {
  const isHandoff = typeOf(request) === 'handoff';
  const system = [isHandoff ? handoffVoice : memoryVoice, quotationRule].join('\n\n');
  const continued = continuationOf(request);
  const before = isHandoff
    ? handoffParts(request)
    : summaryParts(request, continued === null ? null : isRecordAbove ? 'above' : 'quoted', isRecordAbove);
  const closing = closingOf(request, isHandoff ? 'handoff' : continued ? 'updated memory' : 'summary');
  if (isRecordAbove) return { system, user: [...before, recordAbove(request), closing].join('\n\n') };
  const following = isHandoff ? [] : followingPart(request, maxPromptTokens * shareOfFollowing);
  const earlier = continued ? [earlierPart(continued, request, maxPromptTokens * shareOfEarlier)] : [];
  const around = [system, ...before, ...earlier, quotation(recordTitle, ''), ...following, closing].join('\n\n');
  const room = Math.max(minHistoryTokens, maxPromptTokens - request.countTokens(around));
  const pieces = piecesOf(continued ? { ...request, turns: continued.since } : request);
  const record =
    continued?.since.length === 0 ? [] : [quotation(recordTitle, textWithin(pieces, room, request.countTokens))];
  return { system, user: [...before, ...earlier, ...record, ...following, closing].join('\n\n') };
}

function summaryParts(request: SummaryRequest, continues: MemoryPlace | null, isRecordAbove = false): string[] {
  const form = { hasTurns: coversTurns(request.summaryType), isHandoff: false, continues };
  return [
    ...taskParts({ ...request, summaryType: typeOf(request) }, form),
    endOfRecord(request, isRecordAbove),
    ...attentionPart(request),
    ...corePart(request),
    ...liveGoalPart(request),
    ...(isRecordAbove ? [] : orderPart(request)),
  ];
}

/** Cut only if it is longer than the model can read. */
function earlierPart({ earlier }: Continuation, { countTokens }: SummaryRequest, maxTokens: number): string {
  const text = earlier.map(escapedForQuotation).join('\n\n');
  const tokens = countTokens(text);
  const whole = tokens <= maxTokens ? text : excerpt(text, Math.floor((text.length * maxTokens) / tokens));
  return quotation('your memory so far', whole);
}

function handoffParts(request: SummaryRequest): string[] {
  return [
    ...taskParts({ ...request, summaryType: 'handoff' }, { hasTurns: true, isHandoff: true, continues: null }),
    ...corePart(request),
    ...handoffGoalPart(request),
  ];
}

function closingOf({ sections }: SummaryRequest, what: string): string {
  const form = sections.length > 0 ? `, beginning with a heading such as "## ${sections[0]}",` : '';
  return `Now write the ${what}${form} and nothing else.`;
}

export function piecesOf(request: SummaryRequest): Piece[] {
  if (!coversTurns(request.summaryType)) return operationPieces(request.turns);
  return turnPieces(request.turns, typeOf(request) === 'goal_batch' ? 'results' : 'steps');
}

/** Strategies have hyphens in their names, types of summaries underscores. */
export function typeOf({ summaryType }: SummaryRequest): string {
  return summaryType.replaceAll('-', '_');
}

/** Long enough to tell messages apart. */
const shownLength = 160;

/**
 * Says where the record is for a model that is asked in the conversation itself, where the record comes before the prompt. Its
 * provider then has the history in its prompt cache.
 */
function recordAbove({ turns }: SummaryRequest): string {
  const messages = turns.flatMap(messagesOf);
  const [first, last] = [messages[0], messages.at(-1)];
  return [
    'The record is the conversation above this message. Call no tool and do not go on with the work: write about it.',
    ...(first === undefined ? [] : [`The record begins with the message that says: ${shown(first)}`]),
    ...(last === undefined ? [] : [`It ends with the message that says: ${shown(last)}`]),
    'What follows that message stays as it is. Do not retell it.',
  ].join('\n');
}

/** The texts of a turn's messages as they are in the conversation: a block has the place of the entries beneath it. */
function messagesOf({ user, userIsReplaced, entries, blocks }: RequestedTurn): string[] {
  const coveredIds = new Set(blocks.flatMap(({ entryIds }) => entryIds));
  const [firstId] = coveredIds;
  const texts = entries.flatMap((entry) => {
    if (!coveredIds.has(entry.id)) return textOf(entry);
    return entry.id === firstId ? blocks.map(({ text }) => text) : [];
  });
  return user && userIsReplaced ? [textOf(user), ...texts] : texts;
}

function textOf({ parts }: Entry): string {
  return parts.map(readableText).join(' ');
}

function shown(text: string): string {
  return JSON.stringify(brief(text, shownLength));
}
