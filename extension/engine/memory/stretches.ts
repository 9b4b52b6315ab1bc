import { type Entry, isPrompt, textOf } from '../conversation/entry';

/** What a person asked for, and what followed it up to the next thing they asked for. */
export interface Stretch {
  readonly asked: Entry | null;
  /** Without the person's entry. */
  readonly entries: readonly Entry[];
}

/** The entries of a block by what was asked; entries beneath swallowed blocks have lost their turns and get them back. */
export function stretchesOf(entries: readonly Entry[]): Stretch[] {
  const stretches: { asked: Entry | null; entries: Entry[] }[] = [];
  for (const entry of entries) {
    const current = stretches.at(-1);
    if (isPersons(entry)) stretches.push({ asked: entry, entries: [] });
    else if (current) current.entries.push(entry);
    else stretches.push({ asked: null, entries: [entry] });
  }
  return stretches;
}

export function isPersons(entry: Entry): boolean {
  return isPrompt(entry) && textOf(entry.parts).trim() !== '';
}
