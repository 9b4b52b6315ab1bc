import { asName, asRecord, type JsonRecord } from '../../records/json';
import { isImage, mapItems, withValue } from './texts';

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
      const block = asRecord(item);
      if (block?.type === 'tool_result') return withValue(block, 'content', mapItems(block.content, this.#limited));
      return this.#limited(item);
    });
  }

  readonly #limited = (item: unknown): unknown => {
    const fields = asRecord(item);
    if (fields === null || !isImage(fields)) return item;
    const bytes = sizeOf(fields);
    if (bytes === null || bytes > maximumImage || this.#used + bytes > maximumTotal) return omitted;
    this.#used += bytes;
    return item;
  };
}

const sizes = new WeakMap<JsonRecord, number | null>();

/** Null for an image that Cline would not send. Cached, so that each image is checked once. */
function sizeOf(fields: JsonRecord): number | null {
  const known = sizes.get(fields);
  if (known !== undefined) return known;
  const size = encodedSize(fields);
  sizes.set(fields, size);
  return size;
}

function encodedSize(fields: JsonRecord): number | null {
  const data = asName(fields.data)?.trim() ?? '';
  const [, mediaType, encoded] = /^data:([^,;]*);base64,([\s\S]*)$/i.exec(data) ?? [null, null, data];
  const named = asName(fields.mediaType)?.toLowerCase();
  if (named === undefined || (mediaType !== null && mediaType?.toLowerCase() !== named) || !mediaTypes.has(named))
    return null;
  return encoded !== undefined && isBase64(encoded) ? encoded.length : null;
}

function isBase64(text: string): boolean {
  return text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
