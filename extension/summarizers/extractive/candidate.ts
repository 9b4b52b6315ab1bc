import type { SectionName } from '../../engine/block/sections';

/** Whose words a line has: the person's, the agent's, or none: it is stated by the structure of the work. */
export type Speaker = 'person' | 'agent' | 'structure';

/** A verbatim excerpt of an entry. */
export interface Excerpt {
  readonly text: string;
  readonly entryId: string;
}

/** A candidate line for a section. */
export interface Candidate {
  readonly section: SectionName;
  readonly speaker: Speaker;
  /** The line as it would appear in the block. */
  readonly line: string;
  readonly excerpts: readonly Excerpt[];
  /** Higher weights are chosen first. */
  readonly weight: number;
  /** Says how the work stands at the end: chosen before all else. */
  readonly isLast?: true;
  /** Chosen only where all else has its room. */
  readonly isDetail?: true;
}

/** A list item with one verbatim text. */
export function item(
  section: SectionName,
  speaker: Speaker,
  { text, entryId }: Excerpt,
  weight: number,
  line = `- ${text}`,
): Candidate {
  return { section, speaker, line, excerpts: [{ text, entryId }], weight };
}

/** A list item that the structure of the work states. Its excerpts stand in it verbatim. */
export function stated(section: SectionName, line: string, excerpts: readonly Excerpt[], weight: number): Candidate {
  return { section, speaker: 'structure', line: `- ${line}`, excerpts, weight };
}

/** Cuts a text to a length, between words if possible, and marks the cut. */
export function beginning(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  const space = cut.lastIndexOf(' ');
  return `${(space > length / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
