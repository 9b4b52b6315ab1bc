import { createHash } from 'node:crypto';

/** The checksum of a package's archive as npm writes it: `sha512-` and the hash in base64. */
export function integrityOf(archive: Uint8Array): string {
  return `sha512-${createHash('sha512').update(archive).digest('base64')}`;
}
