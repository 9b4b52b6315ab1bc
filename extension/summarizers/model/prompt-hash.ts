import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';
import type { Prompt } from '../../engine/block/language-model';

export function hashOf({ system, user }: Prompt): string {
  return bytesToHex(sha256(utf8ToBytes(JSON.stringify([system, user]))));
}
