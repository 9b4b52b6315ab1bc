import type { Part } from '../../../engine/conversation/entry';
import { ForkRefused } from '../../fork/fork-format';
import { asRecord, type JsonRecord } from '../../records/json';
import { contentParts } from '../content';

const pictureMissing = 'A picture of this context is not in the session file, so it cannot be written into a new one.';

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
      if (part.data === null) throw new ForkRefused(pictureMissing);
      return [{ type: 'image', data: part.data, mimeType: part.mediaType }];
    // Reasoning that no record says cannot be signed; schemas are no message.
    case 'reasoning':
    case 'tool_definitions':
      return [];
  }
}
