import type { SectionName } from '../../engine/block/sections';

/** One line that a section could have. */
export interface Candidate {
  readonly section: SectionName;
  /** The line as it would stand in the block. */
  readonly line: string;
  /** The verbatim piece of the entry that the line carries; null where the line only counts. */
  readonly text: string | null;
  readonly entryId: string;
  /** Higher goes first when not all fit. */
  readonly weight: number;
  /** The person said it. */
  readonly isOfPerson?: true;
}

/** A verbatim line of its own, as an item of a list. */
export function item(section: SectionName, text: string, entryId: string, weight: number): Candidate {
  return { section, line: `- ${text}`, text, entryId, weight };
}

/** The beginning of a text that fits; the mark tells that there was more. Cuts between words where it can. */
export function beginning(text: string, length: number): string {
  if (text.length <= length) return text;
  const cut = text.slice(0, length);
  const space = cut.lastIndexOf(' ');
  return `${(space > length / 2 ? cut.slice(0, space) : cut).trimEnd()}…`;
}
