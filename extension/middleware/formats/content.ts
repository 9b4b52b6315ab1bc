import type { ImagePart, TextPart } from '../../engine/conversation/entry';
import { dataUrl } from '../../platform/json/data-url';
import * as s from '../../platform/json/schemas';
import { shownInput } from '../../sessions/records/tool-input';
import type { Remainder } from '../recognition/authorship';
import { hashOf, stableJson } from '../recognition/chain';

/** A readable part of a content block. */
export type Said = TextPart | ImagePart;

/** In characters. Longer strings in content shown as JSON are treated as data, not text. */
const maxStringLength = 20_000;

/** Hash digits that distinguish data of the same length. */
const markDigits = 8;

export function said(text: string): TextPart[] {
  return text === '' ? [] : [{ type: 'text', text }];
}

/** The blocks of a list. An item that is not a record counts as a block without fields. */
export function blocksIn(content: unknown): s.JsonRecord[] {
  return s.read(s.list, content).map((block) => s.read(s.jsonRecord, block) ?? {});
}

/** Describes data that is neither text nor image. Different data gets a different mark, so that messages stay distinct. */
export function markOf(kind: string, data: string): TextPart {
  const mark = `${data.length} characters, ${hashOf(data).slice(0, markDigits)}`;
  return { type: 'text', text: `[${kind}: ${mark}]` };
}

const imageUrl = s.record({ url: s.textOrNull });

/** The URL of an `image_url` block; empty if there is none. Some servers accept it without the record around it. */
export function pictureAddress(value: unknown): string {
  return s.read(imageUrl, value).url ?? s.read(s.text, value);
}

/** An image from a `data:` URL, or a reference to one elsewhere. */
export function pictureAt(url: string): Said[] {
  const picture = dataUrl(url);
  if (picture === null) return namedPicture(url);
  return [{ type: 'image', mediaType: picture.mediaType ?? 'image/*', data: picture.data }];
}

/** An image known by its URL or by the provider's file id. */
export function namedPicture(name: string): Said[] {
  const mark: TextPart = name.length > maxStringLength ? markOf('picture', name) : { type: 'text', text: `[${name}]` };
  return [{ type: 'image', mediaType: 'image/*', data: null }, mark];
}

/**
 * Unknown content as JSON, because it takes up context too. The text does not depend on property order or on cache
 * control marks, which clients move between requests.
 */
export function jsonOf(block: s.JsonRecord): string {
  if (shownInput(block) !== block) return `[${s.read(s.name, block.type) ?? 'content'}, too deep to be shown]`;
  const shortened: unknown = JSON.parse(JSON.stringify(block, (_name, value: unknown) => shownValue(value)));
  return stableJson(shortened);
}

function shownValue(value: unknown): unknown {
  if (typeof value === 'string' && value.length > maxStringLength) return markOf('data', value).text;
  return s.isRecord(value) && value.cache_control !== undefined ? withoutCacheMark(value) : value;
}

export function withoutCacheMark({ cache_control: _mark, ...rest }: s.JsonRecord): s.JsonRecord {
  return rest;
}

const markedBlock = s.record({ cache_control: s.anything });

/** The content of a pruned result: its text is replaced, its images and its cache control mark are kept. */
export function prunedContent(content: unknown, text: string, textType: 'text' | 'input_text'): unknown {
  if (!Array.isArray(content)) return text;
  const pictures = content.filter(isPicture);
  const gone = content.filter((block) => !isPicture(block));
  const mark = gone
    .map((block) => s.read(markedBlock, block).cache_control)
    .findLast((each) => each !== undefined && each !== null);
  return [{ type: textType, text, ...(mark === undefined ? {} : { cache_control: mark }) }, ...pictures];
}

/** The remaining part of a user message, in its own form; null: nothing remains. */
export function remainingMessages<M extends { readonly content?: unknown }>(
  message: M,
  remaining: Remainder | undefined,
): M[] {
  const content = remaining === undefined ? null : remainingContent(message.content, remaining);
  return content === null ? [] : [{ ...message, content }];
}

/** The remaining part of a user message's content, a string or a list of blocks; null: nothing remains. */
export function remainingContent(content: unknown, remaining: Remainder): unknown {
  if (typeof content === 'string') return remaining.textIn(content) || null;
  const blocks = s.read(s.list, content).flatMap((block) => remainingBlock(block, remaining));
  return blocks.length === 0 ? null : blocks;
}

const textBlock = s.record({ type: s.name, text: s.name });

const textTypes: ReadonlySet<unknown> = new Set(['text', 'input_text']);

/** A block with equal content stays the same object. */
export function remainingBlock<B>(block: B, remaining: Remainder): B[] {
  const { type, text: before } = s.read(textBlock, block);
  if (!textTypes.has(type) || before === null) return remaining.others ? [block] : [];
  const text = remaining.textIn(before);
  if (text === '') return [];
  return [text === before ? block : { ...block, text }];
}

const typedBlock = s.record({ type: s.name });

const pictureTypes: ReadonlySet<unknown> = new Set(['image', 'image_url', 'input_image']);

function isPicture(block: unknown): boolean {
  return pictureTypes.has(s.read(typedBlock, block).type);
}
