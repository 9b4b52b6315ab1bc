import type { Completion, LanguageModel, Prompt } from '../../engine/block/language-model';
import { withEnd } from '../../engine/block/record-continues';
import type { SharedSummaries, SummaryRequest } from '../../engine/block/summary';
import { portableSha256 } from '../../engine/conversation/sha256';
import { namesIn } from '../../engine/language/names';
import { type SharedPrompt, sharedPromptFor } from '../../engine/prompts/shared-prompt';
import { withoutReasoning } from '../../models/reasoning';
import { cleanAnswer, withoutFence } from './clean-answer';
import { cutBack } from './cut-back';
import { outputCap, sharedBodyTokens } from './room';

export interface ModelSummarizerOptions {
  /** Maximum tokens of a prompt: the model's window minus the room for its answer. */
  readonly maxPromptTokens: number;
  /** The model is asked in the conversation itself, one block a call. */
  readonly isRecordAbove?: true;
}

interface SharedCall {
  readonly model: LanguageModel;
  readonly options: ModelSummarizerOptions;
  readonly signal: AbortSignal;
  readonly onText: ((text: string) => void) | undefined;
}

/** Writes as many of these blocks as fit with one call, and splits the answer at its marker lines. */
export async function summarizeTogether(
  requests: readonly SummaryRequest[],
  { model, options, signal, onText }: SharedCall,
): Promise<SharedSummaries | null> {
  const { maxPromptTokens } = options;
  const shared = sharedPromptFor(requests, { maxPromptTokens, maxBodyTokens: sharedBodyTokens(maxPromptTokens) });
  if (!shared) return null;
  const { prompt, mark, records } = shared;
  const completion = await model.complete(prompt, {
    maxTokens: requests.slice(0, records.length).reduce((total, { maxTokens }) => total + outputCap(maxTokens), 0),
    signal,
    ...(onText ? { onText: (text: string) => onText(newestPart(text, mark)) } : {}),
  });
  const bodies = bodiesOf(completion, shared, requests[0]?.sections ?? []);
  const shares = sharesOf(completion.tokens, bodies, records);
  const promptHash = hashOf(prompt);
  const summaries = bodies.map((body, index) => {
    const tokensSpent = shares[index];
    const request = requests[index];
    if (body === null || !tokensSpent || !request) return null;
    return { body: withEnd(body, request), spans: [], tokensSpent, promptHash };
  });
  return { summaries, tokensSpent: completion.tokens };
}

/** Null for a part that is missing, cut off early, or about another block. */
function bodiesOf(
  { text, isCut }: Completion,
  { mark, records }: SharedPrompt,
  sections: SummaryRequest['sections'],
): (string | null)[] {
  const answer = withoutFence(withoutReasoning(text).replaceAll('\r\n', '\n').trim());
  const parts = partsOf(answer, { count: records.length, mark });
  const last = parts.findLastIndex((part) => part !== null);
  return parts.map((part, index) => {
    if (part === null) return null;
    const body = cleanAnswer(part, sections);
    const whole = isCut && index === last ? cutBack(body, sections) : body;
    return whole === null || isOfAnotherBlock(whole, index, records) ? null : whole;
  });
}

type Spent = Completion['tokens'];

/** Shares the cost of a call among its summaries by the length of their texts. The shares add up to it. */
function sharesOf(tokens: Spent, bodies: readonly (string | null)[], records: readonly string[]): (Spent | null)[] {
  const input = parted(
    tokens.input,
    bodies.map((body, index) => (body === null ? 0 : (records[index]?.length ?? 0))),
  );
  const output = parted(
    tokens.output,
    bodies.map((body) => body?.length ?? 0),
  );
  return bodies.map((body, index) => (body === null ? null : { input: input[index] ?? 0, output: output[index] ?? 0 }));
}

function parted(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((all, weight) => all + weight, 0);
  let weighed = 0;
  let given = 0;
  return weights.map((weight) => {
    weighed += weight;
    const share = sum === 0 ? 0 : Math.round((total * weighed) / sum) - given;
    given += share;
    return share;
  });
}

/**
 * Splits an answer at its marker lines. Returns the text of each block, or null if the answer has none. If a number
 * occurs twice, is out of order or belongs to no block, it is unclear which text belongs where, and all are null.
 */
function partsOf(answer: string, { count, mark }: { count: number; mark: string }): (string | null)[] {
  const found = [...answer.matchAll(markerPattern(mark))];
  const numbers = found.map(([, number]) => Number(number));
  const parts = new Array<string | null>(count).fill(null);
  if (!numbers.every((number, at) => number > (numbers[at - 1] ?? 0) && number <= count)) return parts;
  for (const [at, { index, 0: line }] of found.entries()) {
    const text = answer.slice(index + line.length, found[at + 1]?.index).trim();
    parts[(numbers[at] ?? 0) - 1] = text === '' ? null : text;
  }
  return parts;
}

/** The text of the newest block in an answer that is still being written. */
function newestPart(answer: string, mark: string): string {
  const last = [...answer.matchAll(markerPattern(mark))].at(-1);
  return last ? answer.slice(last.index + last[0].length).trimStart() : '';
}

/** The line may carry marks of a heading or of emphasis. */
function markerPattern(mark: string): RegExp {
  return new RegExp(`^[ \\t#>*_\`]*=+[ \\t]*BLOCK[ \\t]+(\\d+)[ \\t]+${mark}\\b[ \\t=*_\`]*$`, 'gim');
}

/** Names that only another block has. One may come from the model's own knowledge of the work. */
const toleratedForeign = 1;

/** Whether a part is about another block: it has more names that only other records contain than names of its own. */
function isOfAnotherBlock(part: string, own: number, records: readonly string[]): boolean {
  const names = [...new Set(namesIn(part).map(({ text }) => text))];
  const isInOwn = (name: string) => records[own]?.includes(name) ?? false;
  const foreign = names.filter((name) => !isInOwn(name) && records.some((record) => record.includes(name)));
  return foreign.length > toleratedForeign && foreign.length > names.filter(isInOwn).length;
}

export function hashOf({ system, user }: Prompt): string {
  return portableSha256(JSON.stringify([system, user]));
}
