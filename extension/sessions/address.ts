/** Separates a store's path from the key of one of its sessions. */
const mark = '#';

/** A session, named by its file, and by its key if the file contains many. */
export interface SessionAddress {
  readonly file: string;
  readonly key: string | null;
}

export function addressText({ file, key }: SessionAddress): string {
  return key === null ? file : `${file}${mark}${key.replace(/[%#/\\]/g, encodeURIComponent)}`;
}

/** The possible meanings of an address, likeliest first. It may have two, because a path may also contain the mark. */
export function readAddress(text: string): readonly SessionAddress[] {
  const whole: SessionAddress = { file: text, key: null };
  const at = text.lastIndexOf(mark);
  const isKey = at > 0 && at < text.length - 1 && !/[\\/]/.test(text.slice(at));
  return isKey ? [whole, { file: text.slice(0, at), key: decoded(text.slice(at + 1)) }] : [whole];
}

/** Unescapes the characters that have a meaning in addresses. */
function decoded(key: string): string {
  return key.replace(/%(?:25|23|2F|5C)/gi, decodeURIComponent);
}
