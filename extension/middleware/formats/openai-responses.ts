import type { ContextMessage } from '../../engine/conversation/context';
import { textOf } from '../../engine/conversation/entry';
import { asName, asRecords, asText, type JsonRecord } from '../../sessions/records/json';
import type { ReceivedMessage, ReceivedPart } from '../recognition/received';
import { jsonOf, prunedContent, said } from './content';
import type { Alteration, MessageFormat, MessageGroup } from './format';
import { isResponsesResult, responsesCall, responsesContent, responsesResult } from './openai-responses-calls';
import { alteredSingle, withToolNames } from './results';

/**
 * Items of OpenAI's Responses. What the model said in one go is one group, because reasoning is only taken back together
 * with the item that followed it.
 */
export const openAiResponses: MessageFormat<JsonRecord> = { groupsOf, altered, made };

type ItemKind = 'reply' | 'message' | 'result' | 'standing' | 'other';

/** Sets up the model, or stands for what it was told: no block may stand over it, and so it speaks as a system prompt. */
const standingTypes: ReadonlySet<string> = new Set([
  'additional_tools',
  'configuration_update',
  'compaction',
  'compaction_summary',
  'context_compaction',
]);

/** Of the model, beside messages and calls. Results are those of tools that the provider itself runs. */
const replyTypes: ReadonlySet<string> = new Set([
  'reasoning',
  'mcp_list_tools',
  'mcp_approval_request',
  'program',
  'program_output',
  'tool_search_output',
]);

export function itemType({ type, role }: JsonRecord): string {
  return asName(type) ?? (role === undefined ? '' : 'message');
}

function kindOf(item: JsonRecord): ItemKind {
  const type = itemType(item);
  if (type === 'message') return item.role === 'assistant' ? 'reply' : 'message';
  // Codex's own, for what another agent says.
  if (type === 'agent_message') return 'message';
  if (standingTypes.has(type)) return 'standing';
  if (isResponsesResult(item)) return 'result';
  return type.endsWith('_call') || replyTypes.has(type) ? 'reply' : 'other';
}

function groupsOf(items: readonly JsonRecord[]): readonly MessageGroup<JsonRecord>[] {
  return withToolNames(runsOf(items).map((run) => ({ messages: run, said: saidBy(run) })));
}

/** Replies as a whole, with what stands within them, and all the rest one by one. */
function runsOf(items: readonly JsonRecord[]): JsonRecord[][] {
  const kinds = items.map(kindOf);
  const runs: JsonRecord[][] = [];
  let start = 0;
  while (start < items.length) {
    const end = kinds[start] === 'reply' ? endOfReply(kinds, start) : start + 1;
    runs.push(items.slice(start, end));
    start = end;
  }
  return runs;
}

function endOfReply(kinds: readonly ItemKind[], start: number): number {
  let end = start + 1;
  for (let at = end; at < kinds.length; at += 1) {
    const kind = kinds[at];
    if (kind === 'message' || kind === 'result') break;
    if (kind === 'reply') end = at + 1;
  }
  return end;
}

function saidBy(run: readonly JsonRecord[]): ReceivedMessage {
  const [first = {}] = run;
  switch (kindOf(first)) {
    case 'reply':
      return { role: 'assistant', parts: run.flatMap(replyParts) };
    case 'result':
      return { role: 'user', parts: [responsesResult(first)] };
    case 'message':
      return { role: roleOf(first), parts: responsesContent(first.content) };
    case 'standing':
      return { role: 'system', parts: said(jsonOf(first)) };
    case 'other':
      return { role: 'system', parts: [] };
  }
}

function roleOf({ role }: JsonRecord): 'user' | 'system' {
  return role === 'system' || role === 'developer' ? 'system' : 'user';
}

function replyParts(item: JsonRecord): ReceivedPart[] {
  const type = itemType(item);
  if (type === 'message') return responsesContent(item.content);
  if (type === 'reasoning') return thought(readableOf(item));
  const call = responsesCall(item);
  return call === null ? thought(jsonOf(item)) : [call];
}

/** What the provider did on the way to its reply is told like its thinking: clients send it back or not as they like. */
function thought(text: string): ReceivedPart[] {
  return text === '' ? [] : [{ type: 'reasoning', text }];
}

/** What the provider lets be read of its thinking; the rest is encrypted. */
function readableOf({ summary, content }: JsonRecord): string {
  return [...asRecords(summary), ...asRecords(content)].flatMap(({ text }) => asName(text) ?? []).join('\n\n');
}

function altered(group: MessageGroup<JsonRecord>, alteration: Alteration): readonly JsonRecord[] {
  return alteredSingle(group, alteration, (item, text) => ({ ...item, output: prunedOutput(item, text) }));
}

/** A screen that a tool shows is a record, and says nothing that could be taken out. */
function prunedOutput({ type, output }: JsonRecord, text: string): unknown {
  return asText(type) === 'computer_call_output' ? output : prunedContent(output, text, 'input_text');
}

function made({ role, kind, parts }: ContextMessage): readonly JsonRecord[] {
  const text = textOf(parts);
  if (role === 'assistant') return [{ type: 'message', role, content: [{ type: 'output_text', text }] }];
  const speaker = role === 'system' || kind === 'core' ? 'developer' : 'user';
  return [{ type: 'message', role: speaker, content: [{ type: 'input_text', text }] }];
}
