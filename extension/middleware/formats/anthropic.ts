import type { ContextMessage } from '../../engine/conversation/context';
import { textOf } from '../../engine/conversation/entry';
import { asList, asName, asRecord, asText, type JsonRecord } from '../../sessions/records/json';
import { shownInput } from '../../sessions/records/tool-input';
import type { ResultFate } from '../recognition/outgoing';
import type { ReceivedMessage, ReceivedPart, ReceivedResult } from '../recognition/received';
import { anthropicContent } from './anthropic-content';
import { jsonOf, prunedContent, sparedBlock, sparedMessages } from './content';
import type { Alteration, MessageFormat, MessageGroup } from './format';
import { resultOf, withToolNames } from './results';

/** Messages of Anthropic's API. Each is a group. Tool results are blocks of user messages. */
export const anthropic: MessageFormat<JsonRecord> = { groupsOf, altered, made };

function groupsOf(messages: readonly JsonRecord[]): readonly MessageGroup<JsonRecord>[] {
  return withToolNames(messages.map((message) => ({ messages: [message], said: receivedMessage(message) })));
}

function receivedMessage({ role, content }: JsonRecord): ReceivedMessage {
  if (role === 'assistant') return { role, parts: blocksOf(content).flatMap(replyPart) };
  return { role: role === 'system' ? role : 'user', parts: blocksOf(content).flatMap(userPart) };
}

/** A string is one text block. */
export function blocksOf(content: unknown): JsonRecord[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return asList(content).map((block) => asRecord(block) ?? {});
}

function userPart(block: JsonRecord): ReceivedPart[] {
  return block.type === 'tool_result' ? [toolResult(block)] : anthropicContent(block);
}

function toolResult(block: JsonRecord): ReceivedResult {
  const content = block.content === undefined ? [] : blocksOf(block.content).flatMap(anthropicContent);
  return resultOf(callOf(block), content, block.is_error === true);
}

function callOf({ tool_use_id }: JsonRecord): string {
  return asText(tool_use_id) ?? '';
}

/** Tools that the provider ran itself, such as web search, become reasoning, because the client returns no result. */
function replyPart(block: JsonRecord): ReceivedPart[] {
  switch (block.type) {
    case 'tool_use':
      return [toolUse(block)];
    case 'thinking':
      return [{ type: 'reasoning', text: asText(block.thinking) ?? '' }];
    // Encrypted, so only the provider can read it.
    case 'redacted_thinking':
      return [];
    case 'text':
    case 'image':
      return anthropicContent(block);
    default:
      return [{ type: 'reasoning', text: jsonOf(block) }];
  }
}

function toolUse({ id, name, input }: JsonRecord): ReceivedPart {
  return { type: 'tool_call', callId: asText(id) ?? '', name: asName(name) ?? '', input: shownInput(input ?? {}) };
}

/** Drops messages without blocks, which the API refuses. */
function altered({ messages }: MessageGroup<JsonRecord>, alteration: Alteration): readonly JsonRecord[] {
  return messages.flatMap((message) => {
    if (!Array.isArray(message.content))
      return alteration.keepsRest ? [message] : sparedMessages(message, alteration.spared);
    const content = message.content.flatMap((block: unknown) => alteredBlock(block, alteration));
    return content.length === 0 ? [] : [{ ...message, content }];
  });
}

function alteredBlock(block: unknown, { results, keepsRest, spared }: Alteration): unknown[] {
  const record = asRecord(block);
  if (record?.type !== 'tool_result') return keepsRest ? [block] : spared ? sparedBlock(block, spared) : [];
  const fate = results.get(callOf(record));
  return fate === undefined ? [block] : fated(record, fate);
}

function fated(block: JsonRecord, fate: ResultFate): JsonRecord[] {
  return fate.kind === 'beneath' ? [] : [{ ...block, content: prunedContent(block.content, fate.text, 'text') }];
}

/** Messages have only user and assistant roles. The core goes into the `system` field instead; see the wire protocol. */
function made({ role, parts }: ContextMessage): readonly JsonRecord[] {
  return [{ role: role === 'assistant' ? role : 'user', content: [textBlock(textOf(parts))] }];
}

export function textBlock(text: string): JsonRecord {
  return { type: 'text', text };
}
