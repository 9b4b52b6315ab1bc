import type { ImagePart, ReasoningPart, TextPart } from '../../engine/conversation/entry';
import { dataUrl } from '../../platform/json/data-url';
import * as s from '../../platform/json/schemas';
import { hashOf, stableJson } from '../recognition/chain';
import { pictureAddress } from './content';

/** A content block, in LangChain's own format or a provider's. */
export type ContentBlock = s.JsonRecord;

type SaidPart = TextPart | ReasoningPart | ImagePart;

/** Content is a string or a list of blocks. */
export function contentBlocks(content: unknown): readonly ContentBlock[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return s.read(s.jsonRecords, content);
}

/** Reads a block of a person or tool. Files other than images become text with their type and a hash or URL. */
export function givenPart(block: ContentBlock): TextPart | ImagePart {
  const text = textIn(block);
  return text === null ? filePart(block) : { type: 'text', text };
}

const textBlock = s.record({ type: s.oneOf(['text', 'input_text', 'output_text']), text: s.textOrNull });

export function textIn(block: ContentBlock): string | null {
  const { type, text } = s.read(textBlock, block);
  return type === null ? null : text;
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

const fileSource = s.record({
  data: s.textOrNull,
  url: s.textOrNull,
  mimeType: s.textOrNull,
  mime_type: s.textOrNull,
  media_type: s.textOrNull,
});

/** OpenAI uses `image_url`, Anthropic `source`, LangChain `data` or `url` with `mimeType` or `mime_type`. */
function sourceOf(block: ContentBlock): Source {
  const { image_url: image } = block;
  if (image !== undefined) return addressed(pictureAddress(image), block);
  const from = s.read(fileSource, s.isRecord(block.source) ? block.source : block);
  if (from.url !== null) return addressed(from.url, block);
  const mediaType = from.mimeType ?? from.mime_type ?? from.media_type ?? kindOf(block);
  return { mediaType, data: from.data, url: null };
}

function addressed(url: string, block: ContentBlock): Source {
  const { mediaType = null, data = null } = dataUrl(url) ?? {};
  return mediaType === null ? { mediaType: kindOf(block), data: null, url } : { mediaType, data, url: null };
}

function kindOf({ type }: ContentBlock): string {
  if (type === 'image_url' || type === 'input_image') return 'image';
  return typeof type === 'string' ? type : 'content';
}

const thinking: ReadonlySet<unknown> = new Set(['reasoning', 'thinking', 'reasoning_content']);

export function isThinking({ type }: ContentBlock): boolean {
  return thinking.has(type) || type === 'redacted_thinking';
}

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

const thoughtBlock = s.record({
  reasoning: s.textOrNull,
  thinking: s.textOrNull,
  text: s.textOrNull,
  reasoningText: s.optionalRecord({ text: s.text }),
  summary: s.anything,
});

function thoughtIn(block: ContentBlock): string {
  const { reasoning, thinking: thought, text, reasoningText, summary } = s.read(thoughtBlock, block);
  return reasoning ?? thought ?? text ?? reasoningText?.text ?? textsIn(summary).join('\n');
}

function textsIn(content: unknown): string[] {
  return contentBlocks(content).map(({ text }) => s.read(s.text, text));
}
