import type { ImagePart } from '../engine/conversation/entry';

/** A picture or a PDF with its data; or a text that replaces one that no provider accepts. */
export type Picture =
  | { readonly kind: 'picture'; readonly mediaType: string; readonly data: string }
  | { readonly kind: 'text'; readonly text: string };

/** Types that providers accept, and how their data begins in Base64. */
const beginnings: readonly (readonly [mediaType: string, beginning: string])[] = [
  ['image/png', 'iVBORw0KGgo'],
  ['image/jpeg', '/9j/'],
  ['image/gif', 'R0lGOD'],
  ['image/webp', 'UklGR'],
  ['application/pdf', 'JVBERi0'],
];

const base64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** Providers refuse data of another type than the stated one, so the type is derived from the data. */
export function pictureOf({ mediaType, data }: ImagePart): Picture {
  const name = mediaType === '' ? 'image' : mediaType;
  if (data === null) return { kind: 'text', text: `[${name} that the session file does not hold]` };
  const known = beginnings.find(([, beginning]) => data.startsWith(beginning))?.[0];
  const type = known ?? beginnings.find(([stated]) => stated === mediaType)?.[0];
  const isData = data.length % 4 === 0 && base64.test(data);
  if (type === undefined || !isData) return { kind: 'text', text: notSent(name) };
  return { kind: 'picture', mediaType: type, data };
}

export function notSent(mediaType: string): string {
  return `[${mediaType} that cannot be sent]`;
}

/** Agents store PDFs in the same way as pictures. */
export function isPdf({ mediaType }: Extract<Picture, { kind: 'picture' }>): boolean {
  return mediaType === 'application/pdf';
}
