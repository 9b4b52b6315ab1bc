import { oncePer } from '../../../../engine/conversation/once-per';
import * as s from '../../../../platform/json/schemas';
import { resultBlock } from '../content';
import { isResult, type Message, withContent } from '../messages';
import { cutFile, cutReply, cutResult } from './cut';
import { withoutReads } from './stale-content';
import { type StaleReads, staleReads } from './stale-reads';
import { textBytes, withinBudget } from './text-budget';
import { type Image, isImage, mapItems, mapTexts, type TextChange, withValue } from './texts';

/** A message before the limits for the whole request are applied. */
interface Shortened {
  /** Identifies the file reads that were left out. */
  readonly stale: string;
  readonly content: unknown;
  /** Total size of its texts in bytes. */
  readonly bytes: number;
}

/** Messages as Cline 3.0.65 edits them for a request. A message with the same edits stays the same object. */
export class SentMessages {
  readonly #shortened = new WeakMap<Message, Shortened>();
  readonly #edited = new WeakMap<Message, Message>();

  /** `wasSentFor`: whether the running process requested this reply; false for all if no process is running. */
  of(messages: readonly Message[], wasSentFor: (reply: Message) => boolean): Message[] {
    const stale = staleReads(messages, wasSentFor);
    const images = new ImageBudget();
    const limited = messages.map((message) => {
      const { content, bytes } = this.#shorten(message, stale);
      return { role: message.fields.role, content: images.limit(content), bytes };
    });
    const contents = withinBudget(limited);
    return messages.map((message, index) => this.#edit(message, contents[index]));
  }

  #shorten(message: Message, stale: StaleReads): Shortened {
    const key = staleKey(message, stale);
    const known = this.#shortened.get(message);
    if (known?.stale === key) return known;
    const { role, content } = message.fields;
    const current = key === '' ? content : withoutStale(content, stale);
    const cut = mapTexts(role, current, shorten);
    const shortened = { stale: key, content: cut, bytes: textBytes(role, cut) };
    this.#shortened.set(message, shortened);
    return shortened;
  }

  #edit(message: Message, content: unknown): Message {
    if (content === message.fields.content) return message;
    const known = this.#edited.get(message);
    if (known !== undefined && known.fields.content === content) return known;
    const edited = withContent(message, content, known);
    this.#edited.set(message, edited);
    return edited;
  }
}

const shorten: TextChange = (text, kind) => {
  switch (kind) {
    case 'result':
      return cutResult(text);
    case 'reply':
      return cutReply(text);
    case 'file':
      return cutFile(text);
    default:
      return text;
  }
};

function staleKey(message: Message, stale: StaleReads): string {
  if (stale.size === 0) return '';
  const results = s.read(s.jsonRecords, message.fields.content).filter(isResult);
  const ids = results.map((block) => s.read(resultBlock, block).tool_use_id ?? '');
  const keys = ids.flatMap((id) => [...(stale.get(id)?.keys() ?? [])].map((key) => [id, key]));
  return keys.length === 0 ? '' : JSON.stringify(keys);
}

function withoutStale(content: unknown, stale: StaleReads): unknown {
  return mapItems(content, (item) => {
    if (!s.isRecord(item) || !isResult(item)) return item;
    const { tool_use_id: id, is_error: isError, content } = s.read(resultBlock, item);
    const reads = stale.get(id ?? '');
    return reads === undefined || isError ? item : withValue(item, 'content', withoutReads(content, reads));
  });
}

/** Limits for one image and for all images of a request, in bytes of Base64. */
const maximumImage = 5_242_880;
const maximumTotal = 8_388_608;

const mediaTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

const omitted = { type: 'text', text: '[media omitted: invalid or exceeds size limit]' };

/** Keeps the first images of a request up to its limit. */
class ImageBudget {
  #used = 0;

  /** The content of a message without the images that exceed the limits. */
  limit(content: unknown): unknown {
    return mapItems(content, (item) => {
      if (!s.isRecord(item) || item.type !== 'tool_result') return this.#limited(item);
      return withValue(item, 'content', mapItems(item.content, this.#limited));
    });
  }

  readonly #limited = (item: unknown): unknown => {
    if (!isImage(item)) return item;
    const bytes = sizeOf(item);
    if (bytes === null || bytes > maximumImage || this.#used + bytes > maximumTotal) return omitted;
    this.#used += bytes;
    return item;
  };
}

/** Null for an image that Cline would not send. Cached, so that each image is checked once. */
const sizeOf = oncePer((image: Image): number | null => {
  const data = image.data.trim();
  const [, mediaType, encoded] = /^data:([^,;]*);base64,([\s\S]*)$/i.exec(data) ?? [null, null, data];
  const named = image.mediaType.toLowerCase();
  if ((mediaType !== null && mediaType?.toLowerCase() !== named) || !mediaTypes.has(named)) return null;
  return encoded !== undefined && isBase64(encoded) ? encoded.length : null;
});

function isBase64(text: string): boolean {
  return text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
