import { asName, asRecord, type JsonRecord } from '../../records/json';
import { isPicture, mapItems, withValue } from './texts';

/** Bytes in Base64. */
const largestPicture = 5_242_880;
const largestTogether = 8_388_608;

const pictureKinds = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

const omitted = { type: 'text', text: '[media omitted: invalid or exceeds size limit]' };

/** Lets pictures pass for as long as the request has room for them: those that come first. */
export class PictureBudget {
  #taken = 0;

  /** The content of a message without the pictures that are not sent. */
  limit(content: unknown): unknown {
    return mapItems(content, (item) => {
      const block = asRecord(item);
      if (block?.type === 'tool_result') return withValue(block, 'content', mapItems(block.content, this.#passed));
      return this.#passed(item);
    });
  }

  readonly #passed = (item: unknown): unknown => {
    const fields = asRecord(item);
    if (fields === null || !isPicture(fields)) return item;
    const bytes = sizeOf(fields);
    if (bytes === null || bytes > largestPicture || this.#taken + bytes > largestTogether) return omitted;
    this.#taken += bytes;
    return item;
  };
}

const sizes = new WeakMap<JsonRecord, number | null>();

/** Null where it is no picture that Cline would send. Each is looked at once only. */
function sizeOf(fields: JsonRecord): number | null {
  const known = sizes.get(fields);
  if (known !== undefined) return known;
  const size = encodedSize(fields);
  sizes.set(fields, size);
  return size;
}

function encodedSize(fields: JsonRecord): number | null {
  const data = asName(fields.data)?.trim() ?? '';
  const [, kind, encoded] = /^data:([^,;]*);base64,([\s\S]*)$/i.exec(data) ?? [null, null, data];
  const named = asName(fields.mediaType)?.toLowerCase();
  if (named === undefined || (kind !== null && kind?.toLowerCase() !== named) || !pictureKinds.has(named)) return null;
  return encoded !== undefined && isBase64(encoded) ? encoded.length : null;
}

function isBase64(text: string): boolean {
  return text !== '' && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}
