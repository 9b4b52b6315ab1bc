import type { Entry, Part } from '../../../engine/conversation/entry';
import { localizable } from '../../../engine/wording/localizable-text';
import * as s from '../../../platform/json/schemas';
import { blocksFor, ForkRefused, refusals } from '../../../sessions/fork/fork-format';
import { messageParts, replyParts } from '../format/content';

/** The blocks of a message that remain after an edit removed some; unchanged. */
export function blocksLeft(blocks: readonly unknown[], parts: readonly Part[]): unknown[] {
  const left = parts.map((part) => JSON.stringify(part));
  return blocks.filter((block) => {
    const [part] = replyParts(block);
    const place = part === undefined ? -1 : left.indexOf(JSON.stringify(part));
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  });
}

/** Blocks for parts that no row contains. Reasoning cannot be among them, because the provider signs it. */
export function replyBlocks(parts: readonly Part[]): s.JsonRecord[] {
  return parts.flatMap((part): s.JsonRecord[] => {
    if (part.type === 'text' && part.text.trim() !== '') return [{ type: 'text', text: part.text }];
    if (part.type !== 'tool_call') return [];
    return [{ type: 'tool_use', id: part.callId, name: part.name, input: s.read(s.jsonRecord, part.input) ?? {} }];
  });
}

/**
 * Parts as blocks. An original block with the same content is used as it is, such as a document or a picture's address.
 */
export function messageBlocks(parts: readonly Part[], originals: readonly unknown[]): s.JsonRecord[] {
  return blocksFor(parts, originals, (block) => messageParts(block)[0], written);
}

function written(part: Part): s.JsonRecord[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }];
  if (part.type !== 'image') return [];
  if (part.data === null) throw refusals.pictureMissing();
  if (!part.mediaType.startsWith('image/'))
    throw new ForkRefused(
      localizable('A document of this context has no record of its own, so it cannot be written into a new one.'),
    );
  return [{ type: 'image', source: { type: 'base64', media_type: part.mediaType, data: part.data } }];
}

const messageRow = s.record({ message: s.record({ content: s.list }) });

export function messageContent(row: s.JsonRecord | undefined): readonly unknown[] {
  return s.read(messageRow, row).message.content;
}

/** The block of a row that contains the result of this call. */
export function resultBlock(row: s.JsonRecord | undefined, callId: string): s.JsonRecord | null {
  const blocks = s.read(s.jsonRecords, messageContent(row));
  return blocks.find((block) => block.type === 'tool_result' && block.tool_use_id === callId) ?? null;
}

/** @param original The recorded block of the same result; null if there is none. */
export function writtenResult({ parts }: Pick<Entry, 'parts'>, original: s.JsonRecord | null): s.JsonRecord[] {
  const [result, ...images] = parts;
  if (result?.type !== 'tool_result') return [];
  const shown = messageBlocks(images, s.read(s.list, original?.content));
  const content = shown.length === 0 ? result.text : [{ type: 'text', text: result.text }, ...shown];
  const error = result.isError ? { is_error: true } : {};
  return [{ type: 'tool_result', tool_use_id: result.callId, content, ...error }];
}
