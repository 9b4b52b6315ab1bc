import type { ImagePart, Part, ToolResultPart } from '../../engine/conversation/entry';
import { append } from '../records/append';
import { asList, asName, asRecord, asText, type JsonRecord } from '../records/json';
import { shownInput } from '../records/tool-input';

/** The parts of one content block of a reply. */
export function replyParts(block: unknown): Part[] {
  const fields = asRecord(block);
  if (fields === null) return [];
  switch (fields.type) {
    case 'text':
      return [{ type: 'text', text: asText(fields.text) ?? '' }];
    case 'thinking':
      return [{ type: 'reasoning', text: asText(fields.thinking) ?? '' }];
    case 'redacted_thinking':
      // Encrypted: it takes part in the context, but there is nothing to read.
      return [{ type: 'reasoning', text: '' }];
    case 'tool_use':
      return toolCallParts(fields);
    default:
      return [unknownBlock(fields)];
  }
}

function toolCallParts(fields: JsonRecord): Part[] {
  const callId = asName(fields.id);
  if (callId === null) return [unknownBlock(fields)];
  return [{ type: 'tool_call', callId, name: asText(fields.name) ?? '', input: shownInput(fields.input ?? {}) }];
}

/** What a user row holds: results of tools, and everything else. */
export interface UserContent {
  readonly results: readonly ToolResultContent[];
  readonly parts: readonly Part[];
}

export interface ToolResultContent {
  readonly callId: string;
  readonly text: string;
  readonly isError: boolean;
  readonly images: readonly ImagePart[];
}

export function userContent(content: unknown): UserContent {
  if (typeof content === 'string') return { results: [], parts: [{ type: 'text', text: content }] };
  const results: ToolResultContent[] = [];
  const parts: Part[] = [];
  for (const block of asList(content)) {
    const result = toolResult(block);
    if (result === null) append(parts, messageParts(block));
    else results.push(result);
  }
  return { results, parts };
}

function toolResult(block: unknown): ToolResultContent | null {
  const fields = asRecord(block);
  const callId = asName(fields?.tool_use_id);
  if (fields === null || fields.type !== 'tool_result' || callId === null) return null;
  const parts = typeof fields.content === 'string' ? [] : asList(fields.content).flatMap(messageParts);
  const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  return {
    callId,
    text: typeof fields.content === 'string' ? fields.content : texts.join('\n'),
    isError: fields.is_error === true,
    images: parts.filter((part) => part.type === 'image'),
  };
}

export function resultParts(result: ToolResultContent, name: string | null): Part[] {
  const { callId, text, isError } = result;
  const part: ToolResultPart = { type: 'tool_result', callId, name, text, isError };
  return [part, ...result.images];
}

export function messageParts(block: unknown): Part[] {
  if (typeof block === 'string') return [{ type: 'text', text: block }];
  const fields = asRecord(block);
  if (fields === null) return [];
  switch (fields.type) {
    case 'text':
      return [{ type: 'text', text: asText(fields.text) ?? '' }];
    case 'image':
    // A document (a PDF) is sent as pages to look at, so it counts as a picture.
    case 'document':
      return [imagePart(fields)];
    default:
      return [unknownBlock(fields)];
  }
}

function imagePart(fields: JsonRecord): ImagePart {
  const source = asRecord(fields.source);
  return { type: 'image', mediaType: asName(source?.media_type) ?? 'image/*', data: asName(source?.data) };
}

/** A kind of block that Strata does not know takes up context all the same, so it is shown as what it is. */
function unknownBlock(fields: JsonRecord): Part {
  return { type: 'text', text: JSON.stringify(fields) };
}
