import type { SectionName } from '../../engine/block/sections';

/**
 * Shortens an answer that was cut off to its last complete line, or in running text to its last complete sentence. Null
 * if too little remains: fewer than half of the sections, or no sentence.
 */
export function cutBack(body: string, sections: readonly SectionName[]): string | null {
  return sections.length > 0 ? toLastLine(body, sections) : toLastSentence(body);
}

function toLastLine(body: string, sections: readonly SectionName[]): string | null {
  const lines = body.split('\n').slice(0, -1);
  while (lines.length > 0 && isLoose(lines.at(-1) ?? '')) lines.pop();
  const written = lines.filter((line) => line.startsWith('## ')).length;
  return written * 2 >= sections.length ? lines.join('\n') : null;
}

/** Whether a last line says nothing by itself: it is blank or a heading. */
function isLoose(line: string): boolean {
  return line.trim() === '' || line.startsWith('## ');
}

function toLastSentence(body: string): string | null {
  const end = [...body.matchAll(/[.!?](?=\s)|\n/g)].at(-1);
  const whole = end ? body.slice(0, end.index + 1).trim() : '';
  return whole === '' ? null : whole;
}
