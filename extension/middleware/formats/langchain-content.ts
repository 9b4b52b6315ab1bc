import type { ImagePart, ReasoningPart, TextPart } from '../../engine/conversation/entry';
import { hashOf, stableJson } from '../recognition/chain';

/** A content block, in LangChain's own format or a provider's. */
export type ContentBlock = Readonly<Record<string, unknown>> & { readonly type?: unknown };

export type SaidPart = TextPart | ReasoningPart | ImagePart;

/** Content is a string or a list of blocks. */
export function contentBlocks(content: unknown): ContentBlock[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? content.filter(isRecord) : [];
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Reads a block of a person or tool. Files other than images become text with their type and a hash or URL. */
export function givenPart(block: ContentBlock): TextPart | ImagePart {
  const text = textIn(block);
  return text === null ? filePart(block) : { type: 'text', text };
}

export function textIn({ type, text }: ContentBlock): string | null {
  return (type === 'text' || type === 'input_text' || type === 'output_text') && typeof text === 'string' ? text : null;
}

function filePart(block: ContentBlock): TextPart | ImagePart {
  const { mediaType, data, url } = sourceOf(block);
  if (data === null) return { type: 'text', text: `[${mediaType}: ${url ?? hashOf(stableJson(block))}]` };
  if (mediaType.startsWith('image/')) return { type: 'image', mediaType, data };
  return { type: 'text', text: `[${mediaType}: ${hashOf(data)}]` };
}

interface Source {
  readonly mediaType: string;
  /** Base64. */
  readonly data: string | null;
  readonly url: string | null;
}

/** OpenAI uses `image_url`, Anthropic `source`, LangChain `data` or `url` with `mimeType` or `mime_type`. */
function sourceOf(block: ContentBlock): Source {
  const { image_url: image } = block;
  if (image !== undefined) return addressed(String(isRecord(image) ? image.url : image), block);
  const from = isRecord(block.source) ? block.source : block;
  const { data, url } = from;
  if (typeof url === 'string') return addressed(url, block);
  const known = from.mimeType ?? from.mime_type ?? from.media_type;
  const mediaType = typeof known === 'string' ? known : kindOf(block);
  return { mediaType, data: typeof data === 'string' ? data : null, url: null };
}

const dataUrl = /^data:([^;,]+);base64,/;

function addressed(url: string, block: ContentBlock): Source {
  const [start, mediaType] = dataUrl.exec(url) ?? [];
  if (start === undefined || mediaType === undefined) return { mediaType: kindOf(block), data: null, url };
  return { mediaType, data: url.slice(start.length), url: null };
}

function kindOf({ type }: ContentBlock): string {
  if (type === 'image_url' || type === 'input_image') return 'image';
  return typeof type === 'string' ? type : 'content';
}

const thinking: ReadonlySet<unknown> = new Set(['reasoning', 'thinking', 'reasoning_content']);

/** Ignored blocks: calls are read from the message's `tool_calls`, and generated images are files. */
const unread: ReadonlySet<unknown> = new Set([
  'tool_use',
  'tool_call',
  'tool_call_chunk',
  'function_call',
  'functionCall',
  'input_json_delta',
  'image_generation_call',
]);

/**
 * Reads a block of a reply. Calls and results of tools that the provider ran become reasoning: they count towards the
 * size, and no result can be separated from its call. Signatures, encrypted reasoning and files are ignored.
 */
export function replyPart(block: ContentBlock): SaidPart[] {
  const text = textIn(block);
  if (text !== null) return [{ type: 'text', text }];
  if (thinking.has(block.type)) return [{ type: 'reasoning', text: thoughtIn(block) }];
  return isRunByProvider(block) ? [{ type: 'reasoning', text: stableJson(block) }] : [];
}

function isRunByProvider({ type }: ContentBlock): boolean {
  return typeof type === 'string' && !unread.has(type) && /^server_|_call$|_result$/.test(type);
}

function thoughtIn({ reasoning, thinking: thought, text, summary, reasoningText }: ContentBlock): string {
  const said = [reasoning, thought, text].find((one) => typeof one === 'string');
  if (typeof said === 'string') return said;
  if (isRecord(reasoningText)) return String(reasoningText.text ?? '');
  return contentBlocks(summary)
    .map((each) => String(each.text ?? ''))
    .join('\n');
}
