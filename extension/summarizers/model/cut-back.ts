import type { SectionName } from '../../engine/block/sections';

/**
 * An answer that was cut off, back to where it is whole: the last line of a section, the last sentence of running text.
 * Null where too little is there: fewer than half of the sections, or not one sentence.
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

/** Nothing follows it any more. */
function isLoose(line: string): boolean {
  return line.trim() === '' || line.startsWith('## ');
}

function toLastSentence(body: string): string | null {
  const end = [...body.matchAll(/[.!?](?=\s)|\n/g)].at(-1);
  const whole = end ? body.slice(0, end.index + 1).trim() : '';
  return whole === '' ? null : whole;
}
