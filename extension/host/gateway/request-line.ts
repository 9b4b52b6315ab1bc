import type { ServedRequest } from '../../gateway/app';

/** A request in the log: nothing of what was said, and neither key nor token. */
export function requestLine({ method, path, status, sent }: ServedRequest): string {
  const line = `Gateway: ${method} ${path} ${status}`;
  if (sent === null) return line;
  const blocks = sent.blocks > 0 ? `, ${sent.blocks} ${sent.blocks === 1 ? 'block' : 'blocks'}` : '';
  return `${line} (${sent.model}, ${sent.tokens} tokens${blocks})`;
}
