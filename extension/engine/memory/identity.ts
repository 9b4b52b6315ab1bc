import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const hexDigits = 8;

/**
 * A deterministic id, so that the same sources give the same id: `n` for notes, `o` for observations, `s` for
 * summaries.
 */
export function memoryId(kind: 'n' | 'o' | 's', ...from: readonly string[]): string {
  return `${kind}-${bytesToHex(sha256(utf8ToBytes(JSON.stringify(from)))).slice(0, hexDigits)}`;
}
