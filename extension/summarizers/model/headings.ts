import type { SectionName } from '../../engine/block/sections';
import { catchAllOf, sectionFor } from './section-families';

/**
 * Puts an answer into its sections: `## Name` headings in the order of the block, each once, however the model wrote
 * them. A section of another kind of block goes where this one has the same. Text under another heading goes below its
 * title into the section for findings, unless it is most of the answer: then the headings stay, and the block is
 * rejected. Text before the first section and empty sections are dropped.
 */
export function withHeadings(text: string, sections: readonly SectionName[]): string {
  const parts = partsOf(text, sections);
  if (!parts.some(({ section }) => section !== null)) return text;
  const said = parts.filter(({ lines }) => !saysNothing(lines));
  if (isMostlyForeign(said))
    return said.map(({ section, title, lines }) => written(section ?? title, lines)).join('\n\n');
  const rest = catchAllOf(sections);
  return sections
    .map((section) => ({ section, lines: said.flatMap((part) => linesFor(section, part, rest)) }))
    .filter(({ lines }) => lines.length > 0)
    .map(({ section, lines }) => written(section, lines))
    .join('\n\n');
}

/** The text under one heading. */
interface Part {
  /** Null for a heading that belongs to none. */
  readonly section: SectionName | null;
  readonly title: string;
  readonly lines: string[];
}

function linesFor(section: SectionName, part: Part, rest: SectionName | null): string[] {
  if (part.section === section) return trimmed(part.lines);
  if (part.section !== null || rest !== section) return [];
  return [`**${part.title}**`, ...trimmed(part.lines)];
}

function written(heading: string, lines: readonly string[]): string {
  return `## ${heading}\n${trimmed(lines).join('\n')}`;
}

function trimmed(lines: readonly string[]): string[] {
  return lines.join('\n').trim().split('\n');
}

function isMostlyForeign(parts: readonly Part[]): boolean {
  const length = (of: readonly Part[]) => of.reduce((total, { lines }) => total + lines.join('').length, 0);
  return length(parts.filter(({ section }) => section === null)) * 2 > length(parts);
}

function partsOf(text: string, sections: readonly SectionName[]): Part[] {
  const parts: Part[] = [];
  let level = 0;
  let inCode = false;
  for (const line of text.split('\n')) {
    if (line.trimStart().startsWith('```')) inCode = !inCode;
    const heading = inCode ? null : headingOf(line, sections, parts.length > 0 ? level : 0);
    if (heading) {
      if (heading.level > 0 && heading.section !== null) level = heading.level;
      const { section, title, rest } = heading;
      parts.push({ section, title, lines: rest === '' ? [] : [rest] });
    } else parts.at(-1)?.lines.push(inCode ? line : withoutHeadingMark(line));
  }
  return parts;
}

interface Heading {
  readonly section: SectionName | null;
  readonly title: string;
  /** Text after a colon on the same line. */
  readonly rest: string;
  /** Number of hashes; 0 for a heading without any. */
  readonly level: number;
}

/**
 * A heading of a section, in any form; or, with hashes and no deeper than the sections (`level`, 0 before the first),
 * a heading of something else. Prompts quote headings of earlier summaries with a mark before them, which models copy.
 */
function headingOf(line: string, sections: readonly SectionName[], level: number): Heading | null {
  const [, hashes = '', hashed] = /^\s*(?:>\s*)?(#{1,6})\s+(.*?)\s*#*$/.exec(line) ?? [];
  const [, bold, after = ''] = /^\s*(?:\d+[.)]\s+)?(?:\*\*|__)(.+?)(?:\*\*|__)\s*:?\s*(.*)$/.exec(line) ?? [];
  const title = hashed ?? bold;
  if (title === undefined) return alone(line, sections);
  const colon = title.indexOf(':');
  const [name, inTitle] = colon === -1 ? [title, ''] : [title.slice(0, colon), title.slice(colon + 1).trim()];
  const rest = `${inTitle} ${hashed === undefined ? after : ''}`.trim();
  const isTop = hashes !== '' && hashes.length <= level;
  const mayBeOther = hashes === '' ? level === 0 && rest === '' : isTop || level === 0;
  const section = named(name, sections) ?? (mayBeOther ? sectionFor(folded(name), sections) : null);
  if (section) return { section, title: name, rest, level: hashes.length };
  return isTop ? { section: null, title: plain(name), rest, level: hashes.length } : null;
}

function named(name: string, sections: readonly SectionName[]): SectionName | null {
  return sections.find((section) => folded(section) === folded(name)) ?? null;
}

/** A section name on a line of its own is a heading, even without any mark. */
function alone(line: string, sections: readonly SectionName[]): Heading | null {
  const section = /^\s*[A-Z]/.test(line) ? named(line, sections) : null;
  return section ? { section, title: section, rest: '', level: 0 } : null;
}

/** Section names are compared without numbers, marks, case and colons, and "and" equals "&". */
function folded(name: string): string {
  return plain(name)
    .replace(/&amp;|\band\b/gi, '&')
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}

function plain(name: string): string {
  return name
    .replace(/^\s*\d+[.)]\s*/, '')
    .replace(/[*_`:]/g, '')
    .trim();
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
