import type { Part, Usage } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import type { CallIds } from '../../../sessions/gemini-content/call-ids';
import {
  callFields,
  type GeminiResult,
  readContent,
  readUserContent,
  toolCall,
} from '../../../sessions/gemini-content/content';
import { splitPromptParts, splitUserParts, type UserParts } from '../../../sessions/gemini-content/user-parts';

const messageRecord = s.record({
  id: s.name,
  type: s.name,
  timestamp: s.name,
  content: s.anything,
  model: s.name,
  tokens: s.record({ input: s.count, cached: s.countOrZero, output: s.countOrZero, thoughts: s.countOrZero }),
  thoughts: s.records({ subject: s.name, description: s.text }),
  toolCalls: s.records({ ...callFields, result: s.anything, agentId: s.name }),
});

export type MessageFields = s.Read<typeof messageRecord>;

export function messageFields(record: unknown): MessageFields {
  return s.read(messageRecord, record);
}

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

export function readMessage(message: MessageFields, calls: CallIds): GeminiMessage {
  const { type, content } = message;
  if (type === 'gemini') return replyOf(message, calls);
  if (type === 'info' && hasImage(content)) {
    return { kind: 'user', results: [], parts: byAgent(readUserContent(content, calls).parts) };
  }
  if (type !== 'user') return { kind: 'note', type: `message/${type ?? 'no type'}` };
  const { parts, results } = readUserContent(content, calls);
  if (isByAgent(parts)) return { kind: 'user', results, parts: byAgent(parts) };
  return { kind: 'user', results, parts: results.length === 0 ? splitPromptParts(parts) : splitUserParts(parts) };
}

/** An image read by a tool is recorded as an `info` message and sent after the tool's result. */
function hasImage(content: unknown): boolean {
  return s.read(s.jsonRecords, content).some(({ inlineData }) => s.isRecord(inlineData));
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
function replyOf(message: MessageFields, calls: CallIds): GeminiMessage {
  const { parts } = readContent(message.content, calls);
  const isComplete = parts.some((part) => part.type === 'tool_call' || part.type === 'reasoning');
  const all = isComplete
    ? parts
    : [...thoughtsOf(message), ...parts, ...message.toolCalls.map((call): Part => toolCall(call, calls))];
  const reply = { parts: all, usage: usageOf(message.tokens), model: message.model };
  return { kind: 'reply', reply, results: message.toolCalls.flatMap((call) => resultsOf(call, calls)) };
}

function thoughtsOf({ thoughts }: MessageFields): Part[] {
  return thoughts.flatMap(({ subject, description }): Part[] => {
    const text = subject === null ? description : `**${subject}** ${description}`;
    return text === '' ? [] : [{ type: 'reasoning', text }];
  });
}

/** Each of several parallel calls lists the results of all of them. */
function resultsOf({ id, name, result }: MessageFields['toolCalls'][number], calls: CallIds): readonly GeminiResult[] {
  if (typeof result !== 'string') return readContent(result, calls).results;
  return readContent({ functionResponse: { id, name, response: { output: result } } }, calls).results;
}

/** `input` includes the cached tokens; `output` excludes the thoughts. */
function usageOf({ input, cached, output, thoughts }: MessageFields['tokens']): Usage | null {
  if (input === null) return null;
  const cacheRead = Math.min(cached, input);
  return { input: input - cacheRead, output: output + thoughts, cacheRead, cacheWrite: 0 };
}
