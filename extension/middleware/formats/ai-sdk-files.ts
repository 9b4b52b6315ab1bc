import type { ImagePart, TextPart } from '../../engine/conversation/entry';
import { hashOf, stableJson } from '../recognition/chain';

/** A file as a message or a result of the AI SDK has it. */
export interface AiSdkFile {
  readonly mediaType?: unknown;
  readonly filename?: unknown;
  /** `{ type: 'data' | 'url' | 'reference' | 'text', … }`; before version 7 the bytes, the text or the address themselves. */
  readonly data?: unknown;
  readonly url?: unknown;
}

/** Pictures that are there are kept as such; of other files, what they are called and which they are. */
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

/** Bytes or base64; anything else where the file is somewhere else. */
function dataOf({ data, url }: AiSdkFile): unknown {
  if (data === undefined) return url;
  if (!isRecord(data) || data instanceof Uint8Array || data instanceof URL) return data;
  return data.type === 'data' ? data.data : (data.url ?? data.reference ?? { text: data.text });
}

function isPicture(mediaType: string): boolean {
  return mediaType === 'image' || mediaType.startsWith('image/');
}

/** The kind alone is allowed as a media type. */
function exact(mediaType: string): string {
  return mediaType === 'image' || mediaType === 'image/*' ? 'image/png' : mediaType;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

/** More arguments at once than engines take for one call would be refused. */
const bytesAtOnce = 0x8000;

function base64(bytes: Uint8Array): string {
  let characters = '';
  for (let from = 0; from < bytes.length; from += bytesAtOnce)
    characters += String.fromCharCode(...bytes.subarray(from, from + bytesAtOnce));
  return btoa(characters);
}
