import type { SectionName } from '../../engine/block/sections';

/**
 * Normalises sections to `## Name` headings, however the model wrote them. Text before the first section and empty
 * sections are dropped. Other headings become plain text.
 */
export function withHeadings(text: string, sections: readonly SectionName[]): string {
  const parts = sectionParts(text, sections);
  if (parts.length === 0) return text;
  return parts
    .filter(({ lines }) => !saysNothing(lines))
    .map(({ section, lines }) => `## ${section}\n${lines.join('\n').trim()}`)
    .join('\n\n');
}

interface SectionPart {
  readonly section: SectionName;
  readonly lines: string[];
}

function sectionParts(text: string, sections: readonly SectionName[]): SectionPart[] {
  const names = new Map(sections.map((section) => [folded(section), section]));
  const parts: SectionPart[] = [];
  let inCode = false;
  for (const line of text.split('\n')) {
    if (line.trimStart().startsWith('```')) inCode = !inCode;
    const heading = inCode ? null : headingOf(line, names);
    if (heading) parts.push({ section: heading.section, lines: heading.rest === '' ? [] : [heading.rest] });
    else parts.at(-1)?.lines.push(inCode ? line : withoutHeadingMark(line));
  }
  return parts;
}

interface Heading {
  readonly section: SectionName;
  /** Text after a colon on the same line. */
  readonly rest: string;
}

type Names = ReadonlyMap<string, SectionName>;

function headingOf(line: string, names: Names): Heading | null {
  const [, title = '', rest = ''] =
    /^\s*#{1,6}\s+(.*?)\s*#*$/.exec(line) ??
    /^\s*(?:\d+[.)]\s+)?(?:\*\*|__)(.+?)(?:\*\*|__)\s*:?\s*(.*)$/.exec(line) ??
    [];
  if (title === '') return alone(line, names);
  const whole = names.get(folded(title));
  if (whole) return { section: whole, rest };
  const colon = title.indexOf(':');
  const named = colon === -1 ? undefined : names.get(folded(title.slice(0, colon)));
  return named ? { section: named, rest: `${title.slice(colon + 1).trim()} ${rest}`.trim() } : null;
}

/** A section name on a line of its own is a heading, even without any mark. */
function alone(line: string, names: Names): Heading | null {
  const section = /^\s*[A-Z]/.test(line) ? names.get(folded(line)) : undefined;
  return section ? { section, rest: '' } : null;
}

/** Section names are compared without numbers, marks, case and colons, and "and" equals "&". */
function folded(name: string): string {
  return name
    .replace(/^\s*\d+[.)]\s*/, '')
    .replace(/[*_`:]/g, '')
    .replace(/&amp;|\band\b/gi, '&')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

function withoutHeadingMark(line: string): string {
  return line.replace(/^(\s*)#{1,6}\s+(.+?)\s*#*$/, (_, indent: string, title: string) =>
    title.startsWith('**') ? `${indent}${title}` : `${indent}**${title}**`,
  );
}

const nothing =
  /^(?:[-*•]\s*)?\(?(?:none|n\/a|nothing(?: (?:to report|meaningful))?|empty|not applicable|-+|—)\)?\.?$/i;

function saysNothing(lines: readonly string[]): boolean {
  const said = lines.map((line) => line.trim()).filter((line) => line !== '');
  return said.every((line) => nothing.test(line));
}
