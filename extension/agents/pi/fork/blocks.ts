import type { Part } from '../../../engine/conversation/entry';
import { localizable } from '../../../engine/wording/localizable-text';
import * as s from '../../../platform/json/schemas';
import { ForkRefused } from '../../../sessions/fork/fork-format';
import { contentParts } from '../format/content';

const pictureMissing = localizable(
  'A picture of this context is not in the session file, so it cannot be written into a new one.',
);

/** Parts as blocks. An original block with the same content is used as it is, with its signature. */
export function blocksOf(parts: readonly Part[], originals: readonly unknown[] = []): s.JsonRecord[] {
  const left = originals.map((block) => ({ block, content: JSON.stringify(contentParts([block])[0]) }));
  return parts.flatMap((part) => {
    const place = left.findIndex(({ content }) => content === JSON.stringify(part));
    const [found] = place < 0 ? [] : left.splice(place, 1);
    const own = s.read(s.jsonRecord, found?.block);
    return own === null ? written(part) : [own];
  });
}

function written(part: Part): s.JsonRecord[] {
  switch (part.type) {
    case 'text':
    case 'tool_result':
      return [{ type: 'text', text: part.text }];
    case 'tool_call':
      return [
        { type: 'toolCall', id: part.callId, name: part.name, arguments: s.read(s.jsonRecord, part.input) ?? {} },
      ];
    case 'image':
      if (part.data === null) throw new ForkRefused(pictureMissing);
      return [{ type: 'image', data: part.data, mimeType: part.mediaType }];
    // Reasoning without a record cannot be signed; schemas are no message.
    case 'reasoning':
    case 'tool_definitions':
      return [];
  }
}
