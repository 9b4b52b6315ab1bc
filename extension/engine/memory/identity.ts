import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

const hexDigits = 8;

/** What is remembered has the same id whenever it is made from the same: `n` a note, `o` an observation, `s` a summary. */
export function memoryId(kind: 'n' | 'o' | 's', ...from: readonly string[]): string {
  return `${kind}-${bytesToHex(sha256(utf8ToBytes(JSON.stringify(from)))).slice(0, hexDigits)}`;
}
