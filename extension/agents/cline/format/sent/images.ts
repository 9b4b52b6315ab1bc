import { oncePer } from '../../../../engine/conversation/once-per';
import * as s from '../../../../platform/json/schemas';
import { type Image, isImage, mapItems, withValue } from './texts';

/** Limits for one image and for all images of a request, in bytes of Base64. */
const maximumImage = 5_242_880;
const maximumTotal = 8_388_608;

const mediaTypes = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

const omitted = { type: 'text', text: '[media omitted: invalid or exceeds size limit]' };

/** Keeps the first images of a request up to its limit. */
export class ImageBudget {
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
