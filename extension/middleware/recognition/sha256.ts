import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Returns the SHA-256 digest of a text, in UTF-8, as hexadecimal digits. */
type TextHash = (text: string) => string;

/**
 * The part of Node that is available without an import, in newer versions. Source: https://nodejs.org/api/process.html
 */
interface Runtime {
  readonly process?: {
    getBuiltinModule?(name: 'node:crypto'): { hash?(algorithm: 'sha256', text: string): string } | undefined;
  };
}

export const portableSha256: TextHash = (text) => bytesToHex(sha256(utf8ToBytes(text)));

/** Several times faster than the portable implementation; null if the runtime has none. */
export function nativeSha256({ process }: Runtime): TextHash | null {
  const hash = process?.getBuiltinModule?.('node:crypto')?.hash;
  return hash ? (text) => hash('sha256', text) : null;
}

export const sha256Of: TextHash = nativeSha256(globalThis) ?? portableSha256;
