import type { ImagePart, Part, ToolResultPart, Usage } from '../../engine/conversation/entry';
import { asCount, asList, asName, asRecord, asRecords, asText, type JsonRecord } from '../records/json';
import { shownInput } from '../records/tool-input';

/** What a message says: blocks in the manner of Anthropic's messages, or text alone. */
export function blocksOf(message: JsonRecord): JsonRecord[] {
  const { content } = message;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return asRecords(content);
}

/** A block that is no result of a tool. */
export function saidParts(block: JsonRecord): Part[] {
  switch (block.type) {
    case 'text': {
      const text = sentText(asText(block.text) ?? '');
      return text === '' ? [] : [{ type: 'text', text }];
    }
    case 'thinking':
    case 'reasoning': {
      const text = asText(block.thinking) ?? asText(block.text) ?? '';
      return text === '' ? [] : [{ type: 'reasoning', text }];
    }
    case 'redacted_thinking':
      return [];
    case 'tool_use':
      return toolUse(block);
    case 'image':
    case 'document':
      return [picture(block)];
    default:
      // A kind of block that Strata does not know takes up context all the same, so it is shown as what it is.
      return [{ type: 'text', text: shortJson(block) }];
  }
}

/** The mark around what a person typed, with the mode they were in, is taken off before it is sent. */
function sentText(text: string): string {
  const wrapped = /^\s*<user_input\b[^>]*>([\s\S]*?)<\/user_input>\s*$/.exec(text)?.[1];
  return wrapped === undefined ? text : wrapped.trim();
}

function toolUse(block: JsonRecord): Part[] {
  const callId = asName(block.id);
  if (callId === null) return [];
  return [{ type: 'tool_call', callId, name: asText(block.name) ?? '', input: shownInput(block.input ?? {}) }];
}

function picture(block: JsonRecord): ImagePart {
  const source = asRecord(block.source);
  const mediaType = asName(source?.media_type) ?? asName(block.mediaType) ?? 'image/*';
  return { type: 'image', mediaType, data: asName(source?.data) ?? asName(block.data) };
}

/** Null where it does not say which call it answers. */
export function toolResult(block: JsonRecord, name: string | null): Part[] | null {
  const callId = asName(block.tool_use_id);
  if (callId === null) return null;
  const pictures = asList(block.content).flatMap((item) => {
    const fields = asRecord(item);
    return fields?.type === 'image' ? [picture(fields)] : [];
  });
  const result: ToolResultPart = {
    type: 'tool_result',
    callId,
    name: asName(block.name) ?? name,
    text: resultText(block.content),
    isError: block.is_error === true,
  };
  return [result, ...pictures];
}

/** Results that are data and no text are sent as JSON. */
function resultText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  const items = asList(content).map(asRecord);
  const isText = Array.isArray(content) && items.every((item) => item?.type === 'text' || item?.type === 'image');
  if (!isText) return shortJson(content);
  return items.flatMap((item) => asText(item?.text) ?? []).join('\n');
}

function shortJson(value: unknown): string {
  return JSON.stringify(shownInput(value));
}

/** The input that Cline counts holds the cached part. Null where nothing was counted. */
export function usageOf(metrics: JsonRecord | null): Usage | null {
  if (metrics === null) return null;
  const cacheRead = asCount(metrics.cacheReadTokens) ?? 0;
  const cacheWrite = asCount(metrics.cacheWriteTokens) ?? 0;
  const usage: Usage = {
    input: Math.max(0, (asCount(metrics.inputTokens) ?? 0) - cacheRead - cacheWrite),
    output: asCount(metrics.outputTokens) ?? 0,
    cacheRead,
    cacheWrite,
  };
  return Object.values(usage).some((tokens) => tokens > 0) ? usage : null;
}
