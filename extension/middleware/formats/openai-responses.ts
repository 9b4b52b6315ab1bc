import type { ContextMessage } from '../../engine/conversation/context';
import { textOf } from '../../engine/conversation/entry';
import * as s from '../../platform/json/schemas';
import type { ReceivedMessage, ReceivedPart } from '../recognition/received';
import { jsonOf, prunedContent, said } from './content';
import type { Alteration, MessageGroup } from './format';
import { isResponsesResult, responsesCall, responsesContent, responsesResult } from './openai-responses-calls';
import { alteredSingle, lazyFormat } from './results';

/**
 * Items of OpenAI's Responses API. Consecutive output items of the model are one group, because the API accepts
 * reasoning only together with the item that followed it.
 */
export const openAiResponses = lazyFormat(eachGroup, { altered, made });

type ItemKind = 'reply' | 'message' | 'result' | 'standing' | 'other';

/** Items by which the provider summarizes earlier input. */
export const compactionItems = ['compaction', 'compaction_summary', 'context_compaction'] as const;

/**
 * Items that configure the model or summarize earlier input. Read as system prompts, so that no block replaces them. An item that is in no
 * list here has no content, and is dropped with the message before it when a block replaces that message. Between items of one reply,
 * standing and unknown items count as part of that reply.
 */
const standingTypes: ReadonlySet<string> = new Set(['additional_tools', 'configuration_update', ...compactionItems]);

/** Output items of the model besides messages and calls, including results of tools that the provider runs. */
const replyTypes: ReadonlySet<string> = new Set([
  'reasoning',
  'mcp_list_tools',
  'mcp_approval_request',
  'program',
  'program_output',
  'tool_search_output',
]);

export function itemType({ type, role }: s.JsonRecord): string {
  return s.read(s.name, type) ?? (role === undefined ? '' : 'message');
}

function kindOf(item: s.JsonRecord): ItemKind {
  const type = itemType(item);
  if (type === 'message') return item.role === 'assistant' ? 'reply' : 'message';
  // Codex's type for a message of another agent.
  if (type === 'agent_message') return 'message';
  if (standingTypes.has(type)) return 'standing';
  if (isResponsesResult(item)) return 'result';
  return type.endsWith('_call') || replyTypes.has(type) ? 'reply' : 'other';
}

function* eachGroup(items: readonly s.JsonRecord[]): Generator<MessageGroup<s.JsonRecord>> {
  for (const run of runsOf(items)) yield { messages: run.items, said: saidBy(run) };
}

interface Run {
  readonly kind: ItemKind;
  readonly items: readonly s.JsonRecord[];
}

/** Splits items into whole replies, with anything between their items, and single other items. */
function runsOf(items: readonly s.JsonRecord[]): Run[] {
  const kinds = items.map(kindOf);
  const runs: Run[] = [];
  let end = 0;
  for (const [start, kind] of kinds.entries()) {
    if (start < end) continue;
    end = kind === 'reply' ? endOfReply(kinds, start) : start + 1;
    runs.push({ kind, items: items.slice(start, end) });
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

function saidBy({ kind, items }: Run): ReceivedMessage {
  const [first = {}] = items;
  switch (kind) {
    case 'reply':
      return { role: 'assistant', parts: items.flatMap(replyParts) };
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

function roleOf({ role }: s.JsonRecord): 'user' | 'system' {
  return role === 'system' || role === 'developer' ? 'system' : 'user';
}

function replyParts(item: s.JsonRecord): ReceivedPart[] {
  const type = itemType(item);
  if (type === 'message') return responsesContent(item.content);
  if (type === 'reasoning') return thought(readableReasoning(item));
  const call = responsesCall(item);
  return call === null ? thought(jsonOf(item)) : [call];
}

/** Tools that the provider ran become reasoning too, because clients may or may not send them back. */
function thought(text: string): ReceivedPart[] {
  return text === '' ? [] : [{ type: 'reasoning', text }];
}

/** The readable part of the reasoning; the rest is encrypted. */
export function readableReasoning(item: s.JsonRecord): string {
  const texts = [item.summary, item.content].flatMap((content) => s.read(reasoningTexts, content));
  return texts.flatMap(({ text }) => text ?? []).join('\n\n');
}

const reasoningTexts = s.records({ text: s.name });

function altered(group: MessageGroup<s.JsonRecord>, alteration: Alteration): readonly s.JsonRecord[] {
  return alteredSingle(group, alteration, (item, text) => ({ ...item, output: prunedOutput(item, text) }));
}

/** A computer screenshot is an object without text to prune. */
function prunedOutput({ type, output }: s.JsonRecord, text: string): unknown {
  return type === 'computer_call_output' ? output : prunedContent(output, text, 'input_text');
}

function made({ role, kind, parts }: ContextMessage): readonly s.JsonRecord[] {
  const text = textOf(parts);
  if (role === 'assistant') return [{ type: 'message', role, content: [{ type: 'output_text', text }] }];
  const speaker = role === 'system' || kind === 'core' ? 'developer' : 'user';
  return [{ type: 'message', role: speaker, content: [{ type: 'input_text', text }] }];
}
