import type { Part, Usage } from '../../engine/conversation/entry';
import type { CallIds } from '../gemini-content/call-ids';
import { type GeminiResult, readContent, readSaid, toolCall } from '../gemini-content/content';
import { promptParts, type SaidParts, saidParts } from '../gemini-content/said';
import { asCount, asName, asRecord, asRecords, asText, type JsonRecord } from '../records/json';

/** A message of the file, read but not yet matched with what was read before. */
export type GeminiMessage =
  | { readonly kind: 'reply'; readonly reply: ReplyContent; readonly results: readonly GeminiResult[] }
  | { readonly kind: 'said'; readonly results: readonly GeminiResult[]; readonly said: SaidParts }
  /** Notes for the screen (`info`, `error`, `warning`), and types that Strata does not know. */
  | { readonly kind: 'note'; readonly type: string };

export interface ReplyContent {
  readonly parts: readonly Part[];
  readonly usage: Usage | null;
  readonly model: string | null;
}

export function readMessage(message: JsonRecord, calls: CallIds): GeminiMessage {
  if (message.type === 'gemini') return replyOf(message, calls);
  if (message.type === 'info' && hasImage(message)) {
    return { kind: 'said', results: [], said: allBefore(readSaid(message.content, calls).parts) };
  }
  if (message.type !== 'user') return { kind: 'note', type: `message/${asName(message.type) ?? 'no type'}` };
  const { parts, results } = readSaid(message.content, calls);
  if (isAgents(parts)) return { kind: 'said', results, said: allBefore(parts) };
  return { kind: 'said', results, said: results.length === 0 ? promptParts(parts) : saidParts(parts) };
}

/** Pictures that a tool read are sent behind its result and written down as a note; other notes are for the screen. */
function hasImage({ content }: JsonRecord): boolean {
  return asRecords(content).some((part) => asRecord(part.inlineData) !== null);
}

const allBefore = (parts: readonly Part[]): SaidParts => ({ before: parts, person: [], after: [] });

/** Sentences that the program itself puts into the user role, by version 0.61.0. Of a summary, its list tells. */
const agentsOwn = new RegExp(
  `^\\s*(?:${[
    'System: Potential loop detected\\. Details: ',
    '\\[System: You (?:previously|successfully) [^\\n]*\\]\\s*$',
    "Here is the user's editor context as a JSON object\\. This is for your information only\\.\\s*```json",
    "Here is a summary of changes in the user's editor context, in JSON format\\. This is for your information only\\.\\s*```json",
  ].join('|')})`,
);

function isAgents([first]: readonly Part[]): boolean {
  return first?.type === 'text' && agentsOwn.test(first.text);
}

/**
 * A reply as the model gave it has thoughts and calls in fields of their own. One that the program wrote anew out of
 * its memory has them all in its content, and the fields repeat them.
 */
function replyOf(message: JsonRecord, calls: CallIds): GeminiMessage {
  const { parts } = readContent(message.content, calls);
  const isWhole = parts.some((part) => part.type === 'tool_call' || part.type === 'reasoning');
  const toolCalls = asRecords(message.toolCalls);
  const all = isWhole
    ? parts
    : [...thoughtsOf(message), ...parts, ...toolCalls.map((call): Part => toolCall(call, calls))];
  const reply = { parts: all, usage: usageOf(message.tokens), model: asName(message.model) };
  return { kind: 'reply', reply, results: toolCalls.flatMap((call) => resultsOf(call, calls)) };
}

function thoughtsOf(message: JsonRecord): Part[] {
  return asRecords(message.thoughts).flatMap((thought): Part[] => {
    const subject = asName(thought.subject);
    const text = asText(thought.description) ?? '';
    const whole = subject === null ? text : `**${subject}** ${text}`;
    return whole === '' ? [] : [{ type: 'reasoning', text: whole }];
  });
}

/** Of calls in parallel, each call has the results of all. */
function resultsOf(call: JsonRecord, calls: CallIds): readonly GeminiResult[] {
  if (typeof call.result !== 'string') return readContent(call.result, calls).results;
  const response = { id: call.id, name: call.name, response: { output: call.result } };
  return readContent({ functionResponse: response }, calls).results;
}

/** The input includes its cached part; thoughts are counted apart from the output. */
function usageOf(value: unknown): Usage | null {
  const tokens = asRecord(value);
  const input = asCount(tokens?.input);
  if (tokens === null || input === null) return null;
  const cacheRead = Math.min(asCount(tokens.cached) ?? 0, input);
  const output = (asCount(tokens.output) ?? 0) + (asCount(tokens.thoughts) ?? 0);
  return { input: input - cacheRead, output, cacheRead, cacheWrite: 0 };
}
