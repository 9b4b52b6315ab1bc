import type { Part, ToolCallPart } from '../../../engine/conversation/entry';
import { append } from '../../../platform/json/append';
import * as s from '../../../platform/json/schemas';
import { shownInput } from '../../../sessions/records/tool-input';
import { type ResultParts, resultParts } from '../../../sessions/records/tool-result';

const replyBlock = s.optionalRecord({
  type: s.name,
  text: s.text,
  thinking: s.text,
  id: s.name,
  name: s.text,
  input: s.anything,
});

/** The parts of one content block of a reply. */
export function replyParts(block: unknown): Part[] {
  const fields = s.read(replyBlock, block);
  if (fields === null) return [];
  switch (fields.type) {
    case 'text':
      return [{ type: 'text', text: fields.text }];
    case 'thinking':
      return [{ type: 'reasoning', text: fields.thinking }];
    case 'redacted_thinking':
      // Encrypted: takes up context, but has no readable text.
      return [{ type: 'reasoning', text: '' }];
    case 'tool_use':
      return [toolCall(fields) ?? unknownBlock(block)];
    default:
      return [unknownBlock(block)];
  }
}

function toolCall({ id, name, input }: NonNullable<s.Read<typeof replyBlock>>): ToolCallPart | null {
  return id === null ? null : { type: 'tool_call', callId: id, name, input: shownInput(input ?? {}) };
}

/** The content of a user row: tool results, and the rest. */
interface UserContent {
  readonly results: readonly ToolResultContent[];
  readonly parts: readonly Part[];
}

interface ToolResultContent {
  readonly callId: string;
  readonly isError: boolean;
  readonly content: readonly Part[];
}

export function userContent(content: unknown): UserContent {
  if (typeof content === 'string') return { results: [], parts: [{ type: 'text', text: content }] };
  const results: ToolResultContent[] = [];
  const parts: Part[] = [];
  for (const block of s.read(s.list, content)) {
    const result = toolResult(block);
    if (result === null) append(parts, messageParts(block));
    else results.push(result);
  }
  return { results, parts };
}

const resultBlock = s.record({ type: s.name, tool_use_id: s.name, content: s.anything, is_error: s.flag });

function toolResult(block: unknown): ToolResultContent | null {
  const { type, tool_use_id: callId, content, is_error: isError } = s.read(resultBlock, block);
  return type === 'tool_result' && callId !== null ? { callId, isError, content: contentParts(content) } : null;
}

function contentParts(content: unknown): readonly Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return s.read(s.list, content).flatMap(messageParts);
}

export function toolResultParts({ content, ...result }: ToolResultContent, name: string | null): ResultParts {
  return resultParts({ ...result, name }, content);
}

const messageBlock = s.optionalRecord({
  type: s.name,
  text: s.text,
  source: s.record({ media_type: s.name, data: s.name }),
});

export function messageParts(block: unknown): Part[] {
  if (typeof block === 'string') return [{ type: 'text', text: block }];
  const fields = s.read(messageBlock, block);
  if (fields === null) return [];
  switch (fields.type) {
    case 'text':
      return [{ type: 'text', text: fields.text }];
    case 'image':
    // A document (a PDF) is sent as images of its pages.
    case 'document':
      return [{ type: 'image', mediaType: fields.source.media_type ?? 'image/*', data: fields.source.data }];
    default:
      return [unknownBlock(block)];
  }
}

/** A block of an unknown type takes up context too, so it is shown as JSON. */
function unknownBlock(block: unknown): Part {
  return { type: 'text', text: JSON.stringify(block) };
}
