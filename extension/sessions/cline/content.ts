import type { ImagePart, Part, ToolResultPart, Usage } from '../../engine/conversation/entry';
import { asCount, asList, asName, asRecord, asRecords, asText, type JsonRecord } from '../records/json';
import { shownInput } from '../records/tool-input';

/** The content of a message: blocks as in Anthropic's API, or a string. */
export function blocksOf(message: JsonRecord): JsonRecord[] {
  const { content } = message;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return asRecords(content);
}

/** The parts of a block that is not a tool result. */
export function contentParts(block: JsonRecord, of: 'prompt' | 'reply'): Part[] {
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
      return [imagePart(block)];
    case 'file':
      return [{ type: 'text', text: sentFile(asText(block.path) ?? '', asText(block.content) ?? '') }];
    default:
      // Unknown blocks are shown as JSON because they take up context.
      return [{ type: 'text', text: jsonText(block) }];
  }
}

/** Cline removes the tags around what a person typed before it sends a prompt. */
export function sentPrompt(text: string): string {
  return tags.reduce((rest, { pair, single }) => {
    const unwrapped = rest.replace(pair, '$1');
    return (unwrapped === rest ? rest.replace(single, '') : unwrapped).trim();
  }, text.trim());
}

const tags = ['user_input', 'user_command'].map((name) => ({
  pair: new RegExp(`<${name}\\b[^>]*>([\\s\\S]*?)</${name}>`, 'g'),
  single: new RegExp(`<${name}[^>]*>`, 'g'),
}));

/** A file attached to a prompt. */
function sentFile(path: string, content: string): string {
  return `<file_content path="${path}">\n${content}\n</file_content>`;
}

function toolUse(block: JsonRecord): Part[] {
  const callId = asName(block.id);
  if (callId === null) return [];
  return [{ type: 'tool_call', callId, name: asText(block.name) ?? '', input: shownInput(block.input ?? {}) }];
}

function imagePart(block: JsonRecord): ImagePart {
  const source = asRecord(block.source);
  const mediaType = asName(source?.media_type) ?? asName(block.mediaType) ?? 'image/*';
  return { type: 'image', mediaType, data: asName(source?.data) ?? asName(block.data) };
}

/** Null if the block does not name its call. */
export function toolResult(block: JsonRecord, name: string | null): Part[] | null {
  const callId = asName(block.tool_use_id);
  if (callId === null) return null;
  const images = asList(block.content).flatMap((item) => {
    const fields = asRecord(item);
    return fields?.type === 'image' ? [imagePart(fields)] : [];
  });
  const result: ToolResultPart = {
    type: 'tool_result',
    callId,
    name: asName(block.name) ?? name,
    text: resultText(block.content),
    isError: block.is_error === true,
  };
  return [result, ...images];
}

/** Cline sends results that are data as JSON, with images as separate parts. */
function resultText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  if (!Array.isArray(content)) return jsonText(content);
  const items = content.map(asRecord);
  const isText = items.every((item) => item?.type === 'text' || item?.type === 'image');
  if (isText) return items.flatMap((item) => asText(item?.text) ?? []).join('\n');
  return jsonText(items.some((item) => item?.type === 'image') ? withoutImages(content) : content);
}

function withoutImages(content: readonly unknown[]): unknown[] {
  return content
    .filter((item) => asRecord(item)?.type !== 'image')
    .map((item) => (asRecord(item)?.type === 'text' ? (asText(asRecord(item)?.text) ?? item) : item));
}

function jsonText(value: unknown): string {
  return JSON.stringify(shownInput(value));
}

/** Cline's input count includes the cached tokens. Null if all counts are zero. */
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
