import type { Part, Usage } from '../../engine/conversation/entry';
import type { CallIds } from '../gemini-content/call-ids';
import { type GeminiResult, readContent, readUserContent, toolCall } from '../gemini-content/content';
import { splitPromptParts, splitUserParts, type UserParts } from '../gemini-content/user-parts';
import { asCount, asName, asRecord, asRecords, asText, type JsonRecord } from '../records/json';

/** A message of the file, before it is matched with known entries. */
export type GeminiMessage =
  | { readonly kind: 'reply'; readonly reply: ReplyContent; readonly results: readonly GeminiResult[] }
  | { readonly kind: 'user'; readonly results: readonly GeminiResult[]; readonly parts: UserParts }
  /** Messages for display only (`info`, `error`, `warning`), and unknown types. */
  | { readonly kind: 'note'; readonly type: string };

export interface ReplyContent {
  readonly parts: readonly Part[];
  readonly usage: Usage | null;
  readonly model: string | null;
}

export function readMessage(message: JsonRecord, calls: CallIds): GeminiMessage {
  if (message.type === 'gemini') return replyOf(message, calls);
  if (message.type === 'info' && hasImage(message)) {
    return { kind: 'user', results: [], parts: byAgent(readUserContent(message.content, calls).parts) };
  }
  if (message.type !== 'user') return { kind: 'note', type: `message/${asName(message.type) ?? 'no type'}` };
  const { parts, results } = readUserContent(message.content, calls);
  if (isByAgent(parts)) return { kind: 'user', results, parts: byAgent(parts) };
  return { kind: 'user', results, parts: results.length === 0 ? splitPromptParts(parts) : splitUserParts(parts) };
}

/** An image read by a tool is recorded as an `info` message and sent after the tool's result. */
function hasImage({ content }: JsonRecord): boolean {
  return asRecords(content).some((part) => asRecord(part.inlineData) !== null);
}

const byAgent = (parts: readonly Part[]): UserParts => ({ before: parts, person: [], after: [] });

/** Beginnings of user messages that Gemini CLI 0.61.0 writes itself. Summaries are found in lists of messages instead. */
const agentText = new RegExp(
  `^\\s*(?:${[
    'System: Potential loop detected\\. Details: ',
    '\\[System: You (?:previously|successfully) [^\\n]*\\]\\s*$',
    "Here is the user's editor context as a JSON object\\. This is for your information only\\.\\s*```json",
    "Here is a summary of changes in the user's editor context, in JSON format\\. This is for your information only\\.\\s*```json",
  ].join('|')})`,
);

function isByAgent([first]: readonly Part[]): boolean {
  return first?.type === 'text' && agentText.test(first.text);
}

/**
 * A reply recorded when it arrives has thoughts and calls in separate fields. A reply rewritten later has them in its
 * content as well.
 */
function replyOf(message: JsonRecord, calls: CallIds): GeminiMessage {
  const { parts } = readContent(message.content, calls);
  const isComplete = parts.some((part) => part.type === 'tool_call' || part.type === 'reasoning');
  const toolCalls = asRecords(message.toolCalls);
  const all = isComplete
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

/** Each of several parallel calls lists the results of all of them. */
function resultsOf(call: JsonRecord, calls: CallIds): readonly GeminiResult[] {
  if (typeof call.result !== 'string') return readContent(call.result, calls).results;
  const response = { id: call.id, name: call.name, response: { output: call.result } };
  return readContent({ functionResponse: response }, calls).results;
}

/** `input` includes the cached tokens; `output` excludes the thoughts. */
function usageOf(value: unknown): Usage | null {
  const tokens = asRecord(value);
  const input = asCount(tokens?.input);
  if (tokens === null || input === null) return null;
  const cacheRead = Math.min(asCount(tokens.cached) ?? 0, input);
  const output = (asCount(tokens.output) ?? 0) + (asCount(tokens.thoughts) ?? 0);
  return { input: input - cacheRead, output, cacheRead, cacheWrite: 0 };
}
