import {
  AIMessage,
  type AIMessageFields,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import type { ContextMessage } from '../../engine/conversation/context';
import { type ToolCallPart, textOf, type Usage } from '../../engine/conversation/entry';
import type { ChatPiece } from '../../models/chat-model';
import * as s from '../../platform/json/schemas';
import type { Remainder } from '../recognition/authorship';
import type { ResultFate } from '../recognition/outgoing';
import { type ReceivedMessage, type ReceivedPart, type ReceivedResult, thinkingPlace } from '../recognition/received';
import { markedContent, markOfContent } from './cache-marks';
import { remainingContent } from './content';
import type { Alteration, MessageFormat } from './format';
import { type ContentBlock, contentBlocks, givenPart, isThinking, replyPart, textIn } from './langchain-content';
import { resultOf } from './results';

/**
 * Messages of LangChain, recognized by shape because an agent may use another copy of the package. Unchanged messages
 * are sent as the same objects.
 */
export const langchainFormat: MessageFormat<BaseMessage> = {
  groupsOf: (messages) => messages.map((message) => ({ messages: [message], said: saidIn(message) })),
  altered: ({ messages }, alteration) => messages.flatMap((message) => alteredMessage(message, alteration)),
  made: (message) => [madeMessage(message)],
  withoutThinking: ({ messages }) => messages.flatMap(withoutThinking),
  marks: {
    of: (messages) => markOfContent(messages.at(-1)?.content),
    on: (messages, mark) => messages.map((message) => markedMessage(message, mark)),
  },
};

export function saidIn(message: BaseMessage): ReceivedMessage {
  switch (speakerOf(message)) {
    case 'system':
      return { role: 'system', parts: contentBlocks(message.content).map(givenPart) };
    case 'ai':
      return {
        ...{ role: 'assistant', parts: replyParts(message) },
        ...thinkingPlace(contentBlocks(message.content).map(isThinking)),
      };
    case 'tool':
      return { role: 'user', parts: [receivedResult(message as ToolMessage)] };
    case 'other':
      return { role: 'user', parts: contentBlocks(message.content).map(givenPart) };
  }
}

type Speaker = 'system' | 'ai' | 'tool' | 'other';

const speakers: Readonly<Record<string, Speaker>> = {
  system: 'system',
  developer: 'system',
  ai: 'ai',
  assistant: 'ai',
  tool: 'tool',
};

export function speakerOf(message: BaseMessage): Speaker {
  const { type, role } = message as { readonly type?: string; readonly role?: string };
  // Before version 1 the type was returned by a method.
  return speakers[type === 'generic' ? (role ?? '') : (type ?? message._getType())] ?? 'other';
}

function replyParts(message: BaseMessage): ReceivedPart[] {
  const { reasoning_content: apart } = message.additional_kwargs ?? {};
  const thought = typeof apart === 'string' ? [{ type: 'reasoning', text: apart } as const] : [];
  return [...thought, ...contentBlocks(message.content).flatMap(replyPart), ...callsOf(message)];
}

function callsOf(message: BaseMessage): ToolCallPart[] {
  const { tool_calls: calls = [] } = message as Partial<AIMessage>;
  return calls.map(({ id = '', name, args }) => ({ type: 'tool_call', callId: id, name, input: args }));
}

function receivedResult({ tool_call_id: callId, name, status, content }: ToolMessage): ReceivedResult {
  return resultOf(callId, contentBlocks(content).map(givenPart), { isError: status === 'error', name: name ?? null });
}

function alteredMessage(message: BaseMessage, { results, keepsRest, remaining }: Alteration): BaseMessage[] {
  if (speakerOf(message) !== 'tool') return keepsRest ? [message] : remainingMessage(message, remaining);
  const result = message as ToolMessage;
  return resultWithFate(result, results.get(result.tool_call_id));
}

function remainingMessage(message: BaseMessage, remaining: Remainder | undefined): BaseMessage[] {
  const content = remaining === undefined ? null : remainingContent(message.content, remaining);
  if (content === null) return [];
  const { id, name, additional_kwargs, response_metadata } = message;
  const fields = given({ id, name, additional_kwargs, response_metadata });
  return [new HumanMessage({ ...fields, content: content as BaseMessage['content'] })];
}

function resultWithFate(result: ToolMessage, fate: ResultFate | undefined): BaseMessage[] {
  if (fate === undefined) return [result];
  return fate.kind === 'replaced'
    ? []
    : [new ToolMessage({ ...fieldsOf(result), content: withText(result, fate.text) })];
}

function fieldsOf(result: ToolMessage) {
  const { id, name, tool_call_id, status, artifact, metadata, additional_kwargs, response_metadata } = result;
  return { ...given({ id, name, status, artifact, metadata, additional_kwargs, response_metadata }), tool_call_id };
}

/** The constructors of messages take no undefined fields. */
function given<Fields extends object>(fields: Fields): Partial<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<Fields>;
}

/** Keeps images. */
function withText({ content }: ToolMessage, text: string): ToolMessage['content'] {
  if (!Array.isArray(content)) return text;
  const others = content.filter((block: ContentBlock) => textIn(block) === null);
  return others.length === 0 ? text : [{ type: 'text', text }, ...others];
}

function withoutThinking(message: BaseMessage): BaseMessage[] {
  if (!Array.isArray(message.content)) return [message];
  const content = message.content.filter((block: ContentBlock) => !isThinking(block));
  const { id, name, tool_calls, invalid_tool_calls, usage_metadata, additional_kwargs, response_metadata } =
    message as Partial<AIMessage>;
  if (content.length === 0 && !tool_calls?.length) return [];
  const known = { id, name, tool_calls, invalid_tool_calls, usage_metadata, additional_kwargs, response_metadata };
  return [new AIMessage({ ...given(known), content } as AIMessageFields)];
}

function madeMessage({ role, parts }: ContextMessage): BaseMessage {
  const content = textOf(parts);
  if (role === 'system') return new SystemMessage(content);
  return role === 'assistant' ? new AIMessage(content) : new HumanMessage(content);
}

/** A message that Strata made has nothing but its content. */
function markedMessage(message: BaseMessage, mark: unknown): BaseMessage {
  const content = markedContent(message.content, mark) as BaseMessage['content'];
  return speakerOf(message) === 'ai' ? new AIMessage({ content } as AIMessageFields) : new HumanMessage({ content });
}

const responseMetadata = s.record({ context_editing: s.record({ cleared: s.flag }) });

/** Whether LangChain's `contextEditingMiddleware` cleared the message, by the mark it leaves. */
export function isClearedByEditing({ response_metadata: about = {} }: BaseMessage): boolean {
  return s.read(responseMetadata, about).context_editing.cleared;
}

/** Whether the message is a summary of LangChain or deep agents in place of older messages, by its mark. */
export function isSummary({ additional_kwargs: more = {} }: BaseMessage): boolean {
  return more.lc_source === 'summarization';
}

/** Whether a person said it. */
export function isPrompt(message: BaseMessage): boolean {
  return speakerOf(message) === 'other' && !isSummary(message);
}

/** The result of a model call: a reply, or messages with a structured response. */
type LangchainAnswer = BaseMessage | { readonly messages: readonly BaseMessage[] };

export function answerPieces(answer: LangchainAnswer): ChatPiece[] {
  const messages = 'messages' in answer ? answer.messages : [answer];
  const reply = messages.find((message) => speakerOf(message) === 'ai');
  if (reply === undefined) return [];
  const spoken = saidIn(reply).parts.filter(
    (part) => part.type === 'text' || part.type === 'reasoning' || part.type === 'tool_call',
  );
  const usage = usageOf(reply as ReportedUsage);
  return usage === null ? spoken : [...spoken, { type: 'usage', usage }];
}

interface ReportedUsage {
  readonly usage_metadata?: {
    /** Includes tokens read from and written to the cache. */
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly input_token_details?: { readonly cache_read?: number; readonly cache_creation?: number };
  };
}

function usageOf({ usage_metadata: reported }: ReportedUsage): Usage | null {
  if (reported === undefined) return null;
  const { cache_read: cacheRead = 0, cache_creation: cacheWrite = 0 } = reported.input_token_details ?? {};
  const input = Math.max(0, reported.input_tokens - cacheRead - cacheWrite);
  return { input, output: reported.output_tokens, cacheRead, cacheWrite };
}
