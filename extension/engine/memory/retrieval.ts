import type { Note } from '../block/memory';
import type { Neighbour, NoteIndex } from './note-index';

export interface Recalled {
  readonly note: Note;
  /** The hit that links to the note; null for a hit itself. */
  readonly linkedFrom: string | null;
}

/** Relevance decides; recency breaks near ties. */
const shares = { relevance: 0.85, recency: 0.15 };

/** Number of newer notes at which the recency of a note is half. Counted in notes, because some agents log no times. */
const halfLife = 25;

/**
 * The best hits for any of the queries, then the notes that they link to. Linked notes do not count towards `count`.
 *
 *     score = 0.85 × highest cosine(query, note) + 0.15 × 2^(−newer notes / 25)
 *
 * A constraint is relevant to any work: its cosine counts as 0.75 at least.
 */
export async function retrieve(index: NoteIndex, queries: readonly string[], count: number): Promise<Recalled[]> {
  const hits = bestOf(await nearestOf(index, queries), count);
  const recalled = new Map<string, Recalled>(hits.map((note) => [note.id, { note, linkedFrom: null }]));
  for (const hit of hits) {
    for (const linked of hit.links.flatMap((id) => index.get(id) ?? [])) {
      if (!recalled.has(linked.id)) recalled.set(linked.id, { note: linked, linkedFrom: hit.id });
    }
  }
  return [...recalled.values()];
}

const leastOfConstraint = 0.75;

/** Each note with its cosine to the query that it is nearest to. */
async function nearestOf(index: NoteIndex, queries: readonly string[]): Promise<Neighbour[]> {
  const found = await Promise.all((queries.length === 0 ? [''] : queries).map((query) => index.similarTo(query)));
  return index.all().map((note, at) => {
    const least = note.category === 'constraint' ? leastOfConstraint : -1;
    return { note, similarity: Math.max(least, ...found.map((near) => near[at]?.similarity ?? -1)) };
  });
}

function bestOf(candidates: readonly Neighbour[], count: number): Note[] {
  const newest = candidates.length - 1;
  return candidates
    .map(({ note, similarity }, at) => ({ note, score: scoreOf(similarity, newest - at) }))
    .sort((a, b) => b.score - a.score || (a.note.id < b.note.id ? -1 : 1))
    .slice(0, count)
    .map(({ note }) => note);
}

export function scoreOf(similarity: number, newerNotes: number): number {
  return shares.relevance * similarity + shares.recency * 2 ** (-newerNotes / halfLife);
}

/** Counts this recall in each note. `at` is the time of the newest entry before it. */
export function countRetrieval(recalled: readonly Recalled[], at: string | null): Note[] {
  return recalled.map(({ note }) => ({ ...note, retrievals: note.retrievals + 1, lastRetrieved: at }));
}
