import type { Entry, Part } from '../../../engine/conversation/entry';
import { asList, asRecord, type JsonRecord } from '../../records/json';
import { replyParts } from '../content';

/** A message that says less than its rows do: of their blocks those that are left, as they stand. */
export function blocksLeft(blocks: readonly unknown[], parts: readonly Part[]): unknown[] {
  const left = parts.map((part) => JSON.stringify(part));
  return blocks.filter((block) => {
    const said = replyParts(block).map((part) => JSON.stringify(part));
    const place = said.length === 0 ? -1 : left.indexOf(said[0] ?? '');
    if (place >= 0) left.splice(place, 1);
    return place >= 0;
  });
}

/** Parts that no row says, as blocks. Reasoning cannot be among them: the provider signs it. */
export function replyBlocks(parts: readonly Part[]): JsonRecord[] {
  return parts.flatMap((part): JsonRecord[] => {
    if (part.type === 'text' && part.text.trim() !== '') return [{ type: 'text', text: part.text }];
    if (part.type !== 'tool_call') return [];
    return [{ type: 'tool_use', id: part.callId, name: part.name, input: asRecord(part.input) ?? {} }];
  });
}

export function messageBlocks(parts: readonly Part[]): JsonRecord[] {
  return parts.flatMap((part): JsonRecord[] => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    if (part.type !== 'image' || part.data === null) return [];
    return [{ type: 'image', source: { type: 'base64', media_type: part.mediaType, data: part.data } }];
  });
}

/** The block of a row that is this result. */
export function resultBlock(row: JsonRecord | undefined, callId: string): JsonRecord | null {
  const blocks = asList(asRecord(row?.message)?.content).map(asRecord);
  return blocks.find((block) => block?.type === 'tool_result' && block.tool_use_id === callId) ?? null;
}

export function writtenResult({ parts }: Pick<Entry, 'parts'>): JsonRecord[] {
  const [result, ...images] = parts;
  if (result?.type !== 'tool_result') return [];
  const shown = messageBlocks(images);
  const content = shown.length === 0 ? result.text : [{ type: 'text', text: result.text }, ...shown];
  const error = result.isError ? { is_error: true } : {};
  return [{ type: 'tool_result', tool_use_id: result.callId, content, ...error }];
}
