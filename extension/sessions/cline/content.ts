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
export function saidParts(block: JsonRecord, of: 'prompt' | 'reply'): Part[] {
  switch (block.type) {
    case 'text': {
      const whole = asText(block.text) ?? '';
      const text = of === 'prompt' ? sentPrompt(whole) : whole;
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
    case 'file':
      return [{ type: 'text', text: sentFile(asText(block.path) ?? '', asText(block.content) ?? '') }];
    default:
      // A kind of block that Strata does not know takes up context all the same, so it is shown as what it is.
      return [{ type: 'text', text: shortJson(block) }];
  }
}

/** The marks around what a person typed, with the mode they were in, are taken off before it is sent. */
export function sentPrompt(text: string): string {
  return marks.reduce((left, { pair, single }) => {
    const freed = left.replace(pair, '$1');
    return (freed === left ? left.replace(single, '') : freed).trim();
  }, text.trim());
}

const marks = ['user_input', 'user_command'].map((name) => ({
  pair: new RegExp(`<${name}\\b[^>]*>([\\s\\S]*?)</${name}>`, 'g'),
  single: new RegExp(`<${name}[^>]*>`, 'g'),
}));

/** A file that stands beside a prompt. */
function sentFile(path: string, content: string): string {
  return `<file_content path="${path}">\n${content}\n</file_content>`;
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

/** Results that are data and no text are sent as JSON; pictures among them apart from it. */
function resultText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  if (!Array.isArray(content)) return shortJson(content);
  const items = content.map(asRecord);
  const isText = items.every((item) => item?.type === 'text' || item?.type === 'image');
  if (isText) return items.flatMap((item) => asText(item?.text) ?? []).join('\n');
  return shortJson(items.some((item) => item?.type === 'image') ? withoutPictures(content) : content);
}

function withoutPictures(content: readonly unknown[]): unknown[] {
  return content
    .filter((item) => asRecord(item)?.type !== 'image')
    .map((item) => (asRecord(item)?.type === 'text' ? (asText(asRecord(item)?.text) ?? item) : item));
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
