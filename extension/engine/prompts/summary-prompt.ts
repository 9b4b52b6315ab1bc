import type { Prompt } from '../block/language-model';
import type { SummaryRequest } from '../block/summary';
import { blockForm } from '../conversation/context';
import { quotation } from '../language/quotation';
import { operationPieces, turnPieces } from './history';
import { type Piece, textWithin } from './pieces';
import { recordAbove } from './record-above';
import { attentionPart, corePart, handoffGoalPart, liveGoalPart } from './surroundings';
import { taskParts } from './task';
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

/** The prompt for a summary. Linear in the number of entries. */
export function promptFor(request: SummaryRequest, { maxPromptTokens, isRecordAbove }: PromptOptions): Prompt {
  const isHandoff = typeOf(request) === 'handoff';
  const system = [isHandoff ? handoffVoice : memoryVoice, quotationRule].join('\n\n');
  const before = isHandoff ? handoffParts(request) : summaryParts(request);
  const closing = closingOf(request, isHandoff ? 'handoff' : 'summary');
  if (isRecordAbove) return { system, user: [...before, recordAbove(request), closing].join('\n\n') };
  const around = [system, ...before, quotation(recordTitle, ''), closing].join('\n\n');
  const room = Math.max(minHistoryTokens, maxPromptTokens - request.countTokens(around));
  const record = quotation(recordTitle, textWithin(piecesOf(request), room, request.countTokens));
  return { system, user: [...before, record, closing].join('\n\n') };
}

function summaryParts(request: SummaryRequest): string[] {
  return [
    ...taskParts({ ...request, summaryType: typeOf(request) }, { hasTurns: hasWholeTurns(request), isHandoff: false }),
    ...attentionPart(request),
    ...corePart(request),
    ...liveGoalPart(request),
  ];
}

function handoffParts(request: SummaryRequest): string[] {
  return [
    ...taskParts({ ...request, summaryType: 'handoff' }, { hasTurns: true, isHandoff: true }),
    ...corePart(request),
    ...handoffGoalPart(request),
  ];
}

function closingOf({ sections }: SummaryRequest, what: string): string {
  const form = sections.length > 0 ? `, beginning with a heading such as "## ${sections[0]}",` : '';
  return `Now write the ${what}${form} and nothing else.`;
}

export function piecesOf(request: SummaryRequest): Piece[] {
  if (!hasWholeTurns(request)) return operationPieces(request.turns);
  return turnPieces(request.turns, typeOf(request) === 'goal_batch' ? 'results' : 'steps');
}

export function hasWholeTurns({ summaryType }: SummaryRequest): boolean {
  return blockForm(summaryType).covers === 'turns';
}

/** Strategies have hyphens in their names, types of summaries underscores. */
export function typeOf({ summaryType }: SummaryRequest): string {
  return summaryType.replaceAll('-', '_');
}
