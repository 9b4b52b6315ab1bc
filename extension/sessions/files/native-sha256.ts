import { createHash } from 'node:crypto';

/** Node's own, for checksums of much text. */
export function nativeSha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
