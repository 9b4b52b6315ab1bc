import type { Prompt } from '../../engine/block/language-model';
import { portableSha256 } from '../../engine/conversation/sha256';

export function hashOf({ system, user }: Prompt): string {
  return portableSha256(JSON.stringify([system, user]));
}
