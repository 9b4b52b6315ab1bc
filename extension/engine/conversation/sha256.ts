import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** Returns the SHA-256 digest of a text, in UTF-8, as hexadecimal digits. */
export type TextHash = (text: string) => string;

/** Runs anywhere; a runtime's own implementation is several times as fast. */
export const portableSha256: TextHash = (text) => bytesToHex(sha256(utf8ToBytes(text)));
