import { portableSha256 } from '../conversation/sha256';

const hexDigits = 8;

/**
 * A deterministic id, so that the same sources give the same id: `n` for notes, `o` for observations, `s` for
 * summaries.
 */
export function memoryId(kind: 'n' | 'o' | 's', ...from: readonly string[]): string {
  return `${kind}-${portableSha256(JSON.stringify(from)).slice(0, hexDigits)}`;
}
