import type { ContextMessage } from '../../engine/conversation/context';
import { textOf } from '../../engine/conversation/entry';
import * as s from '../../platform/json/schemas';
import { shownInput } from '../../sessions/records/tool-input';
import type { ResultFate } from '../recognition/outgoing';
import { type ReceivedMessage, type ReceivedPart, type ReceivedResult, thinkingPlace } from '../recognition/received';
import { contentMarks } from './cache-marks';
import {
  blocksIn,
  jsonOf,
  markOf,
  namedPicture,
  pictureAt,
  prunedContent,
  remainingBlock,
  remainingMessages,
  type Said,
  said,
} from './content';
import type { Alteration, MessageGroup } from './format';
import { lazyFormat, resultOf } from './results';

/** Messages of Anthropic's API. Each is a group. Tool results are blocks of user messages. */
export const anthropic = lazyFormat(eachGroup, { altered, made, withoutThinking, marks: contentMarks });

function* eachGroup(messages: readonly s.JsonRecord[]): Generator<MessageGroup<s.JsonRecord>> {
  for (const message of messages) yield { messages: [message], said: receivedMessage(message) };
}

function receivedMessage({ role, content }: s.JsonRecord): ReceivedMessage {
  if (role === 'assistant') {
    const blocks = blocksOf(content);
    return { role, parts: blocks.flatMap(replyPart), ...thinkingPlace(blocks.map(isThinking)) };
  }
  return { role: role === 'system' ? role : 'user', parts: blocksOf(content).flatMap(userPart) };
}

/** A string is one text block. */
export function blocksOf(content: unknown): s.JsonRecord[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return blocksIn(content);
}

function userPart(block: s.JsonRecord): ReceivedPart[] {
  return block.type === 'tool_result' ? [toolResult(block)] : anthropicContent(block);
}

const resultBlock = s.record({ tool_use_id: s.text, content: s.anything, is_error: s.flag });

function toolResult(block: s.JsonRecord): ReceivedResult {
  const { tool_use_id: callId, content, is_error: isError } = s.read(resultBlock, block);
  return resultOf(callId, blocksOf(content).flatMap(anthropicContent), { isError });
}

/** Tools that the provider ran itself, such as web search, become reasoning, because the client returns no result. */
function replyPart(block: s.JsonRecord): ReceivedPart[] {
  switch (block.type) {
    case 'tool_use':
      return [toolUse(block)];
    case 'thinking':
      return [{ type: 'reasoning', text: s.read(s.text, block.thinking) }];
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

const callBlock = s.record({ id: s.text, name: s.text, input: s.anything });

function toolUse(block: s.JsonRecord): ReceivedPart {
  const { id: callId, name, input } = s.read(callBlock, block);
  return { type: 'tool_call', callId, name, input: shownInput(input ?? {}) };
}

/** Drops messages without blocks, which the API refuses. */
function altered({ messages }: MessageGroup<s.JsonRecord>, alteration: Alteration): readonly s.JsonRecord[] {
  return messages.flatMap((message) => {
    if (!Array.isArray(message.content))
      return alteration.keepsRest ? [message] : remainingMessages(message, alteration.remaining);
    const content = message.content.flatMap((block: unknown) => alteredBlock(block, alteration));
    return content.length === 0 ? [] : [{ ...message, content }];
  });
}

function alteredBlock(block: unknown, { results, keepsRest, remaining }: Alteration): unknown[] {
  if (!s.isRecord(block) || block.type !== 'tool_result')
    return keepsRest ? [block] : remaining ? remainingBlock(block, remaining) : [];
  const fate = results.get(s.read(resultBlock, block).tool_use_id);
  return fate === undefined ? [block] : fated(block, fate);
}

function fated(block: s.JsonRecord, fate: ResultFate): s.JsonRecord[] {
  return fate.kind === 'replaced' ? [] : [{ ...block, content: prunedContent(block.content, fate.text, 'text') }];
}

const typedBlock = s.record({ type: s.name });

export function isThinking(block: unknown): boolean {
  const { type } = s.read(typedBlock, block);
  return type === 'thinking' || type === 'redacted_thinking';
}

function withoutThinking({ messages }: MessageGroup<s.JsonRecord>): readonly s.JsonRecord[] {
  return messages.flatMap((message) => {
    const content = s.read(s.list, message.content).filter((block) => !isThinking(block));
    return content.length === 0 ? [] : [{ ...message, content }];
  });
}

/** Messages have only user and assistant roles. The core goes into the `system` field instead; see the wire protocol. */
function made({ role, parts }: ContextMessage): readonly s.JsonRecord[] {
  return [{ role: role === 'assistant' ? role : 'user', content: [textBlock(textOf(parts))] }];
}

export function textBlock(text: string): s.JsonRecord {
  return { type: 'text', text };
}

const source = s.record({
  type: s.name,
  media_type: s.name,
  data: s.text,
  url: s.text,
  file_id: s.text,
  content: s.anything,
});

const pictureBlock = s.record({ source });

const documentBlock = s.record({ title: s.text, context: s.text, source });

/** Reads a content block of a user message or a tool result. */
function anthropicContent(block: s.JsonRecord): Said[] {
  switch (block.type) {
    case 'text':
      return said(s.read(s.text, block.text));
    case 'image':
      return picture(s.read(pictureBlock, block).source);
    case 'document':
      return document(s.read(documentBlock, block));
    default:
      return said(jsonOf(block));
  }
}

function picture({ type, media_type: mediaType, data, url, file_id: fileId }: s.Read<typeof source>): Said[] {
  if (type === 'base64') return [{ type: 'image', mediaType: mediaType ?? 'image/*', data }];
  return type === 'url' ? pictureAt(url) : namedPicture(fileId);
}

function document({ title, context, source }: s.Read<typeof documentBlock>): Said[] {
  return [...said(title), ...said(context), ...documentContent(source)];
}

function documentContent({ type, media_type: mediaType, data, url, file_id, content }: s.Read<typeof source>): Said[] {
  switch (type) {
    case 'text':
      return said(data);
    case 'base64':
      return [markOf(`document ${mediaType ?? ''}`.trim(), data)];
    case 'content':
      if (typeof content === 'string') return said(content);
      // A document cannot contain documents, so the recursion is shallow.
      return blocksIn(content).flatMap(innerBlock);
    default:
      return said(`[document ${url || file_id}]`);
  }
}

function innerBlock(block: s.JsonRecord): Said[] {
  return block.type === 'document' ? said(jsonOf(block)) : anthropicContent(block);
}
