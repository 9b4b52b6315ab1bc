import type { LongWork } from '../../engine/conversation/long-work';
import { sliceCost } from '../../sessions/files/in-slices';

/** Null for bytes that are not UTF-8. */
export function* textOf(body: Uint8Array): LongWork<string | null> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let text = '';
  try {
    for (let start = 0; start < body.length; start += sliceCost) {
      const bytes = body.subarray(start, start + sliceCost);
      text += decoder.decode(bytes, { stream: true });
      yield bytes.length;
    }
    return text + decoder.decode();
  } catch {
    return null;
  }
}
