import type { ImagePart, TextPart } from '../../engine/conversation/entry';
import { asName, asRecord, type JsonRecord } from '../../sessions/records/json';
import { shownInput } from '../../sessions/records/tool-input';
import { hashOf, stableJson } from '../recognition/chain';

/** What a block of content says to a model. */
export type Said = TextPart | ImagePart;

/** Characters of one string in content that is shown as JSON: more are data rather than words. */
const longestShown = 20_000;

/** Digits of a hash that tell two pieces of data of one length apart. */
const markDigits = 8;

export function said(text: string | null): TextPart[] {
  return text === null || text === '' ? [] : [{ type: 'text', text }];
}

/** For data that is neither text nor a picture. Other data, another mark: what a model was sent must be told apart. */
export function markOf(kind: string, data: string): TextPart {
  const mark = `${data.length} characters, ${hashOf(data).slice(0, markDigits)}`;
  return { type: 'text', text: `[${kind}: ${mark}]` };
}

/** A picture in the request itself, or one that stands somewhere else and is only named. */
export function pictureAt(url: string): Said[] {
  const start = /^data:([^;,]*)[^,]*;base64,/.exec(url.slice(0, 200));
  if (start !== null)
    return [{ type: 'image', mediaType: asName(start[1]) ?? 'image/*', data: url.slice(start[0].length) }];
  return namedPicture(url);
}

/** By its address, or by the name that the provider gave it. */
export function namedPicture(name: string): Said[] {
  const mark: TextPart = name.length > longestShown ? markOf('picture', name) : { type: 'text', text: `[${name}]` };
  return [{ type: 'image', mediaType: 'image/*', data: null }, mark];
}

/**
 * Content of a kind that Strata has no words for takes up context all the same, so it is shown as what it is: JSON that
 * depends neither on the order of properties nor on marks for the provider's cache, which clients move about.
 */
export function jsonOf(block: JsonRecord): string {
  if (shownInput(block) !== block) return `[${asName(block.type) ?? 'content'}, too deep to be shown]`;
  const shortened: unknown = JSON.parse(JSON.stringify(block, (_name, value: unknown) => shownValue(value)));
  return stableJson(shortened);
}

function shownValue(value: unknown): unknown {
  if (typeof value === 'string' && value.length > longestShown) return markOf('data', value).text;
  const record = asRecord(value);
  return record?.cache_control === undefined ? value : withoutCacheMark(record);
}

export function withoutCacheMark({ cache_control: _mark, ...rest }: JsonRecord): JsonRecord {
  return rest;
}

/**
 * The content of a result whose text was taken out. A pruned result keeps its pictures and its mark for the cache: only
 * what it said is gone.
 */
export function prunedContent(content: unknown, text: string, textType: 'text' | 'input_text'): unknown {
  if (!Array.isArray(content)) return text;
  const pictures = content.filter(isPicture);
  const gone = content.filter((block) => !isPicture(block));
  const mark = gone
    .map((block) => asRecord(block)?.cache_control)
    .findLast((each) => each !== undefined && each !== null);
  return [{ type: textType, text, ...(mark === undefined ? {} : { cache_control: mark }) }, ...pictures];
}

const pictureTypes: ReadonlySet<unknown> = new Set(['image', 'image_url', 'input_image']);

function isPicture(block: unknown): boolean {
  return pictureTypes.has(asRecord(block)?.type);
}
