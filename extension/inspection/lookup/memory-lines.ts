import { shortTime } from '../../engine/memory/observation-lines';
import type { MemoryHit, MemoryLine, Timeline } from '../../engine/memory/recall';

export function memoryLineText({ id, timestamp, type, title, detail }: MemoryLine): string {
  return `${id} ${shortTime(timestamp)} ${type}: ${title}${detail === '' || detail === title ? '' : ` — ${detail}`}`;
}

export function memoryHitText(hit: MemoryHit): string {
  return `  ${memoryLineText(hit)} [${hit.score.toFixed(2)}, ${hit.readCost} tokens whole]`;
}

/** The lines of a timeline, with a mark at the requested item. */
export function timelineLines({ before, at, after }: Timeline & { kind: 'found' }): string[] {
  const indented = (line: MemoryLine) => `  ${memoryLineText(line)}`;
  return [...before.map(indented), `> ${memoryLineText(at)}`, ...after.map(indented)];
}
