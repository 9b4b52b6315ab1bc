import type { Prompt } from '../block/language-model';
import type { SummaryRequest } from '../block/summary';
import { coversTurns } from '../conversation/context';
import { boundaryFor, quotation } from '../language/quotation';
import { type Piece, textWithin, uncutTokens } from './pieces';
import { minHistoryTokens, type PromptOptions, piecesOf, recordTitle, typeOf } from './summary-prompt';
import { attentionPart, corePart, liveGoalPart } from './surroundings';
import { sharedTaskParts } from './task';
import { memoryVoice, quotationRule } from './voice';

interface SharedPromptOptions extends PromptOptions {
  /** Maximum tokens of all summaries together. */
  readonly maxBodyTokens: number;
}

/** The prompt for several summaries of one type in one answer. */
export interface SharedPrompt {
  readonly prompt: Prompt;
  /** Stands in the line before each summary. Nothing in the record could predict it. */
  readonly mark: string;
  /** The subject of each summary. */
  readonly records: readonly string[];
}

type Requests = readonly [SummaryRequest, ...SummaryRequest[]];

/**
 * The prompt for as many of the requests, from the first, as the model can read without further cuts and answer in one
 * go. Null if that is only one. Linear in the number of entries.
 */
export function sharedPromptFor(
  requests: readonly SummaryRequest[],
  options: SharedPromptOptions,
): SharedPrompt | null {
  const [first, ...others] = requests;
  if (!first) return null;
  const all: Requests = [first, ...others];
  const around = promptOf(all, '', '0'.repeat(markLength));
  const room = Math.max(minHistoryTokens, options.maxPromptTokens - first.countTokens(textOf(around)));
  const pieces = piecesWithin(all, room, options.maxBodyTokens);
  if (pieces.length < 2) return null;
  const records = pieces.map((ofBlock) => textWithin(ofBlock, Number.POSITIVE_INFINITY, first.countTokens));
  const record = records.join('\n\n');
  const mark = boundaryFor(record).slice(0, markLength);
  return { prompt: promptOf([first, ...others.slice(0, pieces.length - 1)], record, mark), mark, records };
}

const markLength = 8;

/** The line before the summary of a block, counted from 1. */
function markerLine(number: number | string, mark: string): string {
  return `=== BLOCK ${number} ${mark} ===`;
}

function piecesWithin(requests: Requests, room: number, maxBodyTokens: number): Piece[][] {
  const taken: Piece[][] = [];
  let tokens = 0;
  let body = 0;
  for (const [index, request] of requests.entries()) {
    const mark: Piece = { kind: 'mark', label: `--- Block ${index + 1} ---`, text: '' };
    const pieces = [mark, ...piecesOf(request)];
    tokens += uncutTokens(pieces, request.countTokens);
    body += request.maxTokens;
    if (tokens > room || body > maxBodyTokens) break;
    taken.push(pieces);
  }
  return taken;
}

function promptOf(requests: Requests, record: string, mark: string): Prompt {
  const [first] = requests;
  const form = { hasTurns: coversTurns(first.summaryType), isHandoff: false, continues: null };
  const user = [
    ...sharedTaskParts(
      requests.map((request) => ({ ...request, summaryType: typeOf(request) })) as [SummaryRequest],
      form,
    ),
    partingRule(requests.length, mark),
    ...attentionPart(first),
    ...corePart(first),
    ...liveGoalPart(first),
    quotation(recordTitle, record),
    `Now write the ${requests.length} summaries, beginning with the line "${markerLine(1, mark)}", and nothing else.`,
  ];
  return { system: [memoryVoice, quotationRule].join('\n\n'), user: user.join('\n\n') };
}

function partingRule(count: number, mark: string): string {
  return [
    `The record has ${count} blocks, each below a line such as "--- Block 1 ---". Write a summary of its own for each block, in the`,
    `order of the record, all with the sections above. Each takes the place of its block alone, so it says only what its own block`,
    'says. Newer messages follow each block: the state of the work and the next action are those after the last step of the block.',
    'What a later block answers, finishes or takes back is not open: leave it out of what is open.',
    'Before each summary, write this line and nothing else on it, with the number of the block:',
    markerLine('<number>', mark),
  ].join('\n');
}

function textOf({ system, user }: Prompt): string {
  return `${system}\n\n${user}`;
}
