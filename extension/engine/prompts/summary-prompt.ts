import type { Prompt } from '../block/language-model';
import type { SummaryRequest } from '../block/summary';
import { blockForm } from '../conversation/context';
import { quotation } from '../language/quotation';
import { operationPieces, turnPieces } from './history';
import { type Piece, textWithin } from './pieces';
import { attentionPart, corePart, handoffGoalPart, liveGoalPart } from './surroundings';
import { taskParts } from './task';
import { handoffVoice, memoryVoice, quotationRule } from './voice';

export interface PromptOptions {
  /** The most tokens that the prompt may have, by the request's own count. */
  readonly maxPromptTokens: number;
}

/** Less history than this tells nothing; a window too small for it is too small for summaries. In tokens. */
const leastHistory = 500;

const recordTitle = 'the record';

/** What a model is told that is to write the summary of a request. Time linear in the entries. */
export function promptFor(request: SummaryRequest, { maxPromptTokens }: PromptOptions): Prompt {
  const isHandoff = typeOf(request) === 'handoff';
  const system = [isHandoff ? handoffVoice : memoryVoice, quotationRule].join('\n\n');
  const before = isHandoff ? handoffParts(request) : summaryParts(request);
  const closing = closingOf(request, isHandoff ? 'handoff' : 'summary');
  const around = [system, ...before, quotation(recordTitle, ''), closing].join('\n\n');
  const room = Math.max(leastHistory, maxPromptTokens - request.countTokens(around));
  const record = quotation(recordTitle, textWithin(piecesOf(request), room, request.countTokens));
  return { system, user: [...before, record, closing].join('\n\n') };
}

function summaryParts(request: SummaryRequest): string[] {
  return [
    ...taskParts({ ...request, summaryType: typeOf(request) }, { ofTurns: ofTurns(request), isHandoff: false }),
    ...attentionPart(request),
    ...corePart(request),
    ...liveGoalPart(request),
  ];
}

function handoffParts(request: SummaryRequest): string[] {
  return [
    ...taskParts({ ...request, summaryType: 'handoff' }, { ofTurns: true, isHandoff: true }),
    ...corePart(request),
    ...handoffGoalPart(request),
  ];
}

function closingOf({ sections }: SummaryRequest, what: string): string {
  const form = sections.length > 0 ? `, beginning with a heading such as "## ${sections[0]}",` : '';
  return `Now write the ${what}${form} and nothing else.`;
}

function piecesOf(request: SummaryRequest): Piece[] {
  if (!ofTurns(request)) return operationPieces(request.turns);
  return turnPieces(request.turns, typeOf(request) === 'goal_batch' ? 'results' : 'steps');
}

function ofTurns({ summaryType }: SummaryRequest): boolean {
  return blockForm(summaryType).covers === 'turns';
}

/** Strategies are named with hyphens, kinds of summaries with underscores. */
function typeOf({ summaryType }: SummaryRequest): string {
  return summaryType.replaceAll('-', '_');
}
