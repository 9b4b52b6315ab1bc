import type { Entry, Part } from '../../engine/conversation/entry';
import { piecesIn } from './pieces';

/** The marks of an entry that an agent inserted. If only its text tells, only rules are known to last. */
export function injectedMarks(parts: readonly Part[]): Pick<Entry, 'injected' | 'standing'> {
  return { injected: true, ...(isStanding(parts) ? { standing: true } : {}) };
}

function isStanding(parts: readonly Part[]): boolean {
  return parts.length > 0 && parts.every((part) => part.type === 'text' && holdsOn(part.text));
}

function holdsOn(text: string): boolean {
  const pieces = piecesIn(text, false);
  return pieces.length > 0 && pieces.every(({ author }) => author === 'standing');
}
