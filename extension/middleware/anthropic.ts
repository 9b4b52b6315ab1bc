import type { SentMessage } from '../engine/conversation/projection';
import type { CallLimits } from './call-names';
import { type Exchange, exchangesOf } from './exchanges';
import { isPdf, type Picture } from './pictures';

/** A request of Anthropic's Messages API, with the fields that a context determines. */
export interface AnthropicContext {
  /** Absent if there is none. */
  system?: string;
  messages: AnthropicMessage[];
}

export interface AnthropicMessage {
  role: 'user' | 'assistant';
  content: AnthropicBlock[];
}

export type AnthropicBlock =
  | { type: 'text'; text: string }
  | { type: 'image' | 'document'; source: { type: 'base64'; media_type: string; data: string } }
  | { type: 'tool_use'; id: string; name: string; input: unknown }
  | { type: 'tool_result'; tool_use_id: string; content: string | AnthropicBlock[]; is_error?: true };

/** Source: https://docs.claude.com/en/api/messages, and its error messages for ids. */
const limits: CallLimits = { idLength: 128, nameLength: 128, notInId: /[^a-zA-Z0-9_-]/g };

/**
 * Roles must alternate, so adjacent messages of one role become one. The system prompt and the core go before the
 * messages; a system message later on speaks as a user, because the API has no other place for it.
 */
export function contextAsAnthropic({ messages }: { readonly messages: readonly SentMessage[] }): AnthropicContext {
  const exchanges = exchangesOf(messages, limits);
  const firstSpoken = exchanges.findIndex(({ role }) => role !== 'system');
  const system = exchanges.slice(0, firstSpoken).flatMap((one) => (one.role === 'system' ? [one.text] : []));
  return {
    ...(system.length === 0 ? {} : { system: system.join('\n\n') }),
    messages: withoutTrailingSpace(merged(exchanges.slice(firstSpoken))),
  };
}

function merged(exchanges: readonly Exchange[]): AnthropicMessage[] {
  const converted: AnthropicMessage[] = [];
  for (const exchange of exchanges) {
    const role = exchange.role === 'assistant' ? 'assistant' : 'user';
    const content = blocksOf(exchange);
    const last = converted.at(-1);
    if (last?.role === role) last.content.push(...content);
    else converted.push({ role, content });
  }
  return converted;
}

function blocksOf(exchange: Exchange): AnthropicBlock[] {
  switch (exchange.role) {
    case 'system':
      return [textBlock(exchange.text)];
    case 'user':
      return [...exchange.texts.map(textBlock), ...exchange.pictures.map(pictureBlock)];
    case 'assistant':
      return [
        ...exchange.texts.map(textBlock),
        ...exchange.calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input }) as const),
      ];
    case 'results':
      return exchange.results.map(resultBlock);
  }
}

/** Images are part of their result, because nothing may come between two results. */
function resultBlock({
  callId,
  text,
  isError,
  pictures,
}: Extract<Exchange, { role: 'results' }>['results'][number]): AnthropicBlock {
  const said = text.trim() === '' ? [] : [textBlock(text)];
  const content = pictures.length === 0 ? text : [...said, ...pictures.map(pictureBlock)];
  return { type: 'tool_result', tool_use_id: callId, content, ...(isError ? { is_error: true } : {}) };
}

function textBlock(text: string): AnthropicBlock {
  return { type: 'text', text };
}

function pictureBlock(picture: Picture): AnthropicBlock {
  if (picture.kind === 'text') return textBlock(picture.text);
  const { mediaType: media_type, data } = picture;
  return { type: isPdf(picture) ? 'document' : 'image', source: { type: 'base64', media_type, data } };
}

/** The last message of an assistant must not end with white space. */
function withoutTrailingSpace(messages: AnthropicMessage[]): AnthropicMessage[] {
  const last = messages.at(-1);
  const block = last?.content.at(-1);
  if (last?.role === 'assistant' && block?.type === 'text') block.text = block.text.trimEnd();
  return messages;
}
