import type { SectionName } from '../../engine/block/sections';

/** A candidate line for a section. */
export interface Candidate {
  readonly section: SectionName;
  /** The line as it would appear in the block. */
  readonly line: string;
  /** The verbatim excerpt in the line; null if the line only has counts. */
  readonly text: string | null;
  readonly entryId: string;
  /** Higher weights are chosen first. */
  readonly weight: number;
  /** Stated by the user. */
  readonly isOfPerson?: true;
}

/** A list item with one verbatim line. */
export function item(section: SectionName, text: string, entryId: string, weight: number): Candidate {
  return { section, line: `- ${text}`, text, entryId, weight };
}

/** Cuts a text to a length, between words if possible, and marks the cut. */
export function beginning(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  const space = cut.lastIndexOf(' ');
  return `${(space > length / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
