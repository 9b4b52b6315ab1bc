import type { ImagePart, Part, ToolResultPart, Usage } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import { shownInput } from '../../../sessions/records/tool-input';
import { reportedUsage } from '../../../sessions/records/usage';

/** The content of a message: blocks as in Anthropic's API, or a string. */
export function blocksOf(content: unknown): readonly s.JsonRecord[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : s.read(s.jsonRecords, content);
}

const textBlock = s.record({ text: s.textOrNull, thinking: s.textOrNull });
export const fileBlock = s.record({ path: s.text, content: s.text });
export const callBlock = s.record({ id: s.name, name: s.textOrNull, input: s.anything });
const imageSource = s.record({ media_type: s.name, data: s.name });
const imageBlock = s.record({ mediaType: s.name, data: s.name, source: imageSource });
export const resultBlock = s.record({ tool_use_id: s.name, name: s.name, content: s.anything, is_error: s.flag });

/** The parts of a block that is not a tool result. */
export function contentParts(block: s.JsonRecord, of: 'prompt' | 'reply'): Part[] {
  switch (block.type) {
    case 'text': {
      const whole = s.read(textBlock, block).text ?? '';
      const text = of === 'prompt' ? sentPrompt(whole) : whole;
      return text === '' ? [] : [{ type: 'text', text }];
    }
    case 'thinking':
    case 'reasoning': {
      const { thinking, text } = s.read(textBlock, block);
      const thought = thinking ?? text ?? '';
      return thought === '' ? [] : [{ type: 'reasoning', text: thought }];
    }
    case 'redacted_thinking':
      return [];
    case 'tool_use':
      return toolUse(block);
    case 'image':
    case 'document':
      return [imagePart(block)];
    case 'file':
      return [{ type: 'text', text: sentFile(s.read(fileBlock, block)) }];
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
function sentFile({ path, content }: s.Read<typeof fileBlock>): string {
  return `<file_content path="${path}">\n${content}\n</file_content>`;
}

function toolUse(block: s.JsonRecord): Part[] {
  const { id: callId, name, input } = s.read(callBlock, block);
  return callId === null ? [] : [{ type: 'tool_call', callId, name: name ?? '', input: shownInput(input ?? {}) }];
}

function imagePart(block: s.JsonRecord): ImagePart {
  const { source, mediaType, data } = s.read(imageBlock, block);
  return { type: 'image', mediaType: source.media_type ?? mediaType ?? 'image/*', data: source.data ?? data };
}

/** Null if the block does not name its call. `names`: the tools' names, by call. */
export function toolResult(block: s.JsonRecord, names: ReadonlyMap<string, string>): Part[] | null {
  const { tool_use_id: callId, name, content, is_error: isError } = s.read(resultBlock, block);
  if (callId === null) return null;
  const images = s.read(s.jsonRecords, content).filter(isImage).map(imagePart);
  const shownName = name ?? names.get(callId) ?? null;
  const result: ToolResultPart = { type: 'tool_result', callId, name: shownName, text: resultText(content), isError };
  return [result, ...images];
}

function isImage(item: unknown): boolean {
  return s.isRecord(item) && item.type === 'image';
}

/** The text of a text block; null for other values. */
function textIn(item: unknown): string | null {
  return s.isRecord(item) && item.type === 'text' ? s.read(s.textOrNull, item.text) : null;
}

/** Cline sends results that are data as JSON, with images as separate parts. */
function resultText(content: unknown): string {
  if (typeof content === 'string') return content;
  if (content === undefined || content === null) return '';
  if (!Array.isArray(content)) return jsonText(content);
  const others = content.filter((item) => !isImage(item));
  if (others.every((item) => s.isRecord(item) && item.type === 'text'))
    return others.flatMap((item) => textIn(item) ?? []).join('\n');
  return jsonText(others.length < content.length ? others.map((item) => textIn(item) ?? item) : content);
}

function jsonText(value: unknown): string {
  return JSON.stringify(shownInput(value));
}

export const metrics = s.optionalRecord({
  inputTokens: s.countOrZero,
  outputTokens: s.countOrZero,
  cacheReadTokens: s.countOrZero,
  cacheWriteTokens: s.countOrZero,
});

/** Cline's input count includes the cached tokens. Null if all counts are zero. */
export function usageOf(fields: s.Read<typeof metrics>): Usage | null {
  if (fields === null) return null;
  const { inputTokens, outputTokens: output, cacheReadTokens: cacheRead, cacheWriteTokens: cacheWrite } = fields;
  return reportedUsage({ input: Math.max(0, inputTokens - cacheRead - cacheWrite), output, cacheRead, cacheWrite });
}
