import type { ImagePart, TextPart } from '../../engine/conversation/entry';
import { hashOf, stableJson } from '../recognition/chain';

/** A file in a message or tool result of the AI SDK. */
export interface AiSdkFile {
  readonly mediaType?: unknown;
  readonly filename?: unknown;
  /** `{ type: 'data' | 'url' | 'reference' | 'text', … }`; before version 7 the bytes, text or URL themselves. */
  readonly data?: unknown;
  readonly url?: unknown;
}

/** Keeps embedded images. Other files become text with their name and a hash or reference. */
export function filePart(file: AiSdkFile): ImagePart | TextPart {
  const mediaType = typeof file.mediaType === 'string' ? file.mediaType : 'file';
  const data = dataOf(file);
  if (data instanceof Uint8Array || typeof data === 'string') {
    const encoded = typeof data === 'string' ? data : base64(data);
    return isPicture(mediaType)
      ? { type: 'image', mediaType: exact(mediaType), data: encoded }
      : named(file, mediaType, hashOf(encoded));
  }
  return named(file, mediaType, stableJson(data));
}

function named({ filename }: AiSdkFile, mediaType: string, which: string): TextPart {
  const name = typeof filename === 'string' ? `${filename}, ` : '';
  return { type: 'text', text: `[${name}${mediaType}: ${which}]` };
}

/** Bytes or base64 for an embedded file; anything else for a reference. */
function dataOf({ data, url }: AiSdkFile): unknown {
  if (data === undefined) return url;
  if (!isRecord(data) || data instanceof Uint8Array || data instanceof URL) return data;
  return data.type === 'data' ? data.data : (data.url ?? data.reference ?? { text: data.text });
}

function isPicture(mediaType: string): boolean {
  return mediaType === 'image' || mediaType.startsWith('image/');
}

/** The AI SDK also allows `image` and `image/*` as media types. */
function exact(mediaType: string): string {
  return mediaType === 'image' || mediaType === 'image/*' ? 'image/png' : mediaType;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** Chunk size, because engines limit the number of arguments of a call. */
const bytesAtOnce = 0x8000;

function base64(bytes: Uint8Array): string {
  let characters = '';
  for (let from = 0; from < bytes.length; from += bytesAtOnce)
    characters += String.fromCharCode(...bytes.subarray(from, from + bytesAtOnce));
  return btoa(characters);
}
