import type { Note } from '../block/memory';
import type { NoteCategory } from './note-candidates';

/** Sections of a block of notes by what the notes say. Earlier versions called it a direction, a constraint or a conclusion. */
const sections = [
  ['## Said by the person', ['request', 'direction', 'constraint']],
  ['## Replies and summaries', ['reply', 'summary', 'conclusion']],
  ['## Changed and failed', ['tool step']],
] as const satisfies readonly (readonly [
  heading: string,
  categories: readonly (NoteCategory | 'direction' | 'constraint' | 'conclusion')[],
])[];

const headingOfGoals = '## First and newest request';

/** All headings that a block of notes may have. */
export const headings: readonly string[] = [headingOfGoals, ...sections.map(([heading]) => heading)];

/** Notes in the order of the memory, so that the newest of each section comes last. The first and the newest request have a section of their own. */
export function noteSections(notes: readonly Note[], goals: ReadonlySet<string>): string[] {
  const rest = notes.filter(({ id }) => !goals.has(id));
  return [
    ...under(headingOfGoals, notes.filter(({ id }) => goals.has(id)).map(noteLine)),
    ...sections.flatMap(([heading, categories]) =>
      under(heading, rest.filter(({ category }) => categories.some((one) => one === category)).map(noteLine)),
    ),
  ];
}

/** The lines below their heading; nothing without lines. */
export function under(heading: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [heading, ...lines];
}

/** A note as shown in a block. Its time, context, keywords, tags and links serve recall, and are stored with it. */
export function noteLine({ id, content }: Note): string {
  return `- ${id}: ${content}`;
}

/** The items that fit, best first. An item that is too long does not exclude shorter ones. */
export function fitting<T>(items: readonly T[], room: number, tokensOf: (item: T) => number): T[] {
  let left = room;
  return items.filter((item) => {
    const tokens = tokensOf(item);
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
}
