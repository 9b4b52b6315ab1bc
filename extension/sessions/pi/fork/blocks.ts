import type { Part } from '../../../engine/conversation/entry';
import { asRecord, type JsonRecord } from '../../records/json';
import { contentParts } from '../content';

/** Parts as blocks: the original's own where it has one that says the same, with its signature. */
export function blocksOf(parts: readonly Part[], originals: readonly unknown[] = []): JsonRecord[] {
  const left = originals.map((block) => ({ block, said: JSON.stringify(contentParts([block])[0]) }));
  return parts.flatMap((part) => {
    const place = left.findIndex(({ said }) => said === JSON.stringify(part));
    const [found] = place < 0 ? [] : left.splice(place, 1);
    const own = asRecord(found?.block);
    return own === null ? written(part) : [own];
  });
}

function written(part: Part): JsonRecord[] {
  switch (part.type) {
    case 'text':
    case 'tool_result':
      return [{ type: 'text', text: part.text }];
    case 'tool_call':
      return [{ type: 'toolCall', id: part.callId, name: part.name, arguments: asRecord(part.input) ?? {} }];
    case 'image':
      return part.data === null ? [] : [{ type: 'image', data: part.data, mimeType: part.mediaType }];
    // Reasoning that no record says cannot be signed; schemas are no message.
    case 'reasoning':
    case 'tool_definitions':
      return [];
  }
}
