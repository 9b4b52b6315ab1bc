import type { Part, Usage } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import { shownInput } from '../../../sessions/records/tool-input';
import { reportedUsage } from '../../../sessions/records/usage';

/** The content of a message: text alone, or a list of blocks. */
export function contentParts(content: unknown): Part[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return s.read(s.list, content).flatMap(blockParts);
}

/** The content of a message that is not a reply. Only a reply makes calls, so any other call is shown as JSON. */
export function partsWithoutCalls(content: unknown): Part[] {
  return contentParts(content).map((part) =>
    part.type === 'tool_call' ? { type: 'text', text: JSON.stringify(part) } : part,
  );
}

const block = s.optionalRecord({
  type: s.name,
  text: s.text,
  thinking: s.text,
  id: s.name,
  name: s.text,
  arguments: s.anything,
  mimeType: s.name,
  data: s.name,
});

function blockParts(value: unknown): Part[] {
  const fields = s.read(block, value);
  switch (fields?.type) {
    case undefined:
      return [];
    case 'text':
      return [{ type: 'text', text: fields.text }];
    case 'thinking':
      return [{ type: 'reasoning', text: fields.thinking }];
    case 'toolCall': {
      const { id: callId, name, arguments: input } = fields;
      return callId === null ? [] : [{ type: 'tool_call', callId, name, input: shownInput(input ?? {}) }];
    }
    case 'image':
      return [{ type: 'image', mediaType: fields.mimeType ?? 'image/*', data: fields.data }];
    default:
      // An unknown kind of block takes up context too, so it is shown as JSON.
      return [{ type: 'text', text: JSON.stringify(value) }];
  }
}

const usage = s.optionalRecord({
  input: s.countOrZero,
  output: s.countOrZero,
  cacheRead: s.countOrZero,
  cacheWrite: s.countOrZero,
});

/** Null also if all numbers are zero: pi marks a reply that was stopped before it began that way. */
export function usageOf(value: unknown): Usage | null {
  const fields = s.read(usage, value);
  return fields === null ? null : reportedUsage(fields);
}
