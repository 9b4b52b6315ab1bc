import type { Context, ContextMessage } from '../engine/conversation/context';
import type { ImagePart, Part } from '../engine/conversation/entry';
import { textOf } from '../engine/conversation/entry';
import { paired } from './paired';

/** A request of Anthropic's Messages API, as far as a context determines it. */
export interface AnthropicContext {
  system: string;
  messages: AnthropicMessage[];
}

export interface AnthropicMessage {
  role: 'user' | 'assistant';
  content: AnthropicBlock[];
}

export type AnthropicBlock =
  | { type: 'text'; text: string }
  | { type: 'image'; source: { type: 'base64'; media_type: string; data: string } }
  | { type: 'tool_use'; id: string; name: string; input: unknown }
  | { type: 'tool_result'; tool_use_id: string; content: string | AnthropicBlock[]; is_error?: true };

/**
 * Roles must alternate, so adjacent messages of one role become one. The system prompt and the core go before the
 * messages; a system message later on speaks as a user, because the API has no other place for it.
 */
export function contextAsAnthropic({ messages }: Context): AnthropicContext {
  const firstSpoken = messages.findIndex((message) => message.role !== 'system');
  const leading = firstSpoken === -1 ? messages : messages.slice(0, firstSpoken);
  const spoken = firstSpoken === -1 ? [] : messages.slice(firstSpoken);
  return {
    system: leading
      .map((message) => textOf(message.parts))
      .filter((text) => text !== '')
      .join('\n\n'),
    messages: merged(paired(spoken)),
  };
}

function merged(messages: readonly ContextMessage[]): AnthropicMessage[] {
  const converted: AnthropicMessage[] = [];
  for (const message of messages) {
    const role = message.role === 'assistant' ? 'assistant' : 'user';
    const content = message.role === 'tool' ? resultBlocks(message.parts) : message.parts.flatMap(blocksOf);
    if (content.length === 0) continue;
    const last = converted.at(-1);
    if (last?.role === role) last.content.push(...content);
    else converted.push({ role, content });
  }
  return converted;
}

/** Pictures stand inside the result that they belong to: nothing may come between two results. */
function resultBlocks(parts: readonly Part[]): AnthropicBlock[] {
  const images = parts.filter((part) => part.type === 'image').map(imageBlock);
  return parts.flatMap(blocksOf).flatMap((block) => {
    if (block.type !== 'tool_result') return [];
    if (images.length === 0 || typeof block.content !== 'string') return [block];
    return [{ ...block, content: [{ type: 'text', text: block.content } as const, ...images] }];
  });
}

/** Thinking is left out: it is only taken back with a signature that session files do not always hold. */
function blocksOf(part: Part): AnthropicBlock[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
    case 'image':
      return [imageBlock(part)];
    case 'tool_call':
      return [{ type: 'tool_use', id: part.callId, name: part.name, input: part.input }];
    case 'tool_result':
      return [
        {
          type: 'tool_result',
          tool_use_id: part.callId,
          content: part.text,
          ...(part.isError ? { is_error: true } : {}),
        },
      ];
    case 'reasoning':
    case 'tool_definitions':
      return [];
  }
}

function imageBlock({ mediaType, data }: ImagePart): AnthropicBlock {
  if (data === null) return { type: 'text', text: `[${mediaType} that the session file does not hold]` };
  return { type: 'image', source: { type: 'base64', media_type: mediaType, data } };
}
