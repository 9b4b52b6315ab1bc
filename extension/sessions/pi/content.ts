import type { ImagePart, Part, Usage } from '../../engine/conversation/entry';
import { asCount, asList, asName, asRecord, asText, type JsonRecord } from '../records/json';
import { shownInput } from '../records/tool-input';

/** Content of a message: text alone, or a list of blocks. */
export function contentParts(content: unknown): Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return asList(content).flatMap(blockParts);
}

function blockParts(block: unknown): Part[] {
  const fields = asRecord(block);
  if (fields === null) return [];
  switch (fields.type) {
    case 'text':
      return [{ type: 'text', text: asText(fields.text) ?? '' }];
    case 'thinking':
      return [{ type: 'reasoning', text: asText(fields.thinking) ?? '' }];
    case 'toolCall':
      return toolCallParts(fields);
    case 'image':
      return [imagePart(fields)];
    default:
      // A kind of block that Strata does not know takes up context all the same, so it is shown as what it is.
      return [{ type: 'text', text: JSON.stringify(fields) }];
  }
}

function toolCallParts(fields: JsonRecord): Part[] {
  const callId = asName(fields.id);
  if (callId === null) return [];
  return [{ type: 'tool_call', callId, name: asText(fields.name) ?? '', input: shownInput(fields.arguments ?? {}) }];
}

function imagePart(fields: JsonRecord): ImagePart {
  return { type: 'image', mediaType: asName(fields.mimeType) ?? 'image/*', data: asName(fields.data) };
}

/** Text of blocks, as a tool result shows it. */
export function contentText(parts: readonly Part[]): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
}

/** Null also where every number is zero: that is how pi marks a reply that was stopped before it began. */
export function usageOf(value: unknown): Usage | null {
  const fields = asRecord(value);
  if (fields === null) return null;
  const usage: Usage = {
    input: asCount(fields.input) ?? 0,
    output: asCount(fields.output) ?? 0,
    cacheRead: asCount(fields.cacheRead) ?? 0,
    cacheWrite: asCount(fields.cacheWrite) ?? 0,
  };
  return Object.values(usage).some((tokens) => tokens > 0) ? usage : null;
}
