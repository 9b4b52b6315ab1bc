import type { Note } from '../block/memory';
import type { Neighbour, NoteIndex } from './note-index';

/** Relevance decides; recency breaks near ties. */
const shares = { relevance: 0.85, recency: 0.15 };

/** Number of newer notes at which the recency of a note is half. Counted in notes, because some agents log no times. */
const halfLife = 25;

/**
 * The notes that are needed in any case, the best hits for any of the queries, then the notes that these link to. Only hits
 * count towards `count`.
 *
 *     score = 0.85 × relevance + 0.15 × 2^(−newer notes / 25)
 *
 * Relevance is the highest cosine of note and query. What the person said is relevant to any work: it begins at 0.6, and the
 * cosine counts for the rest.
 */
export async function retrieve(
  index: NoteIndex,
  queries: readonly string[],
  count: number,
  needed: readonly Note[] = [],
): Promise<Note[]> {
  const hits = [...needed, ...bestOf(await nearestOf(index, queries), count)];
  const linked = hits.flatMap(({ links }) => links.flatMap((id) => index.get(id) ?? []));
  return [...new Set([...hits, ...linked])];
}

const leastRelevance: Readonly<Record<string, number>> = { request: 0.6, direction: 0.6, constraint: 0.75 };

/** Each note with its relevance for the query that it is nearest to. */
async function nearestOf(index: NoteIndex, queries: readonly string[]): Promise<Neighbour[]> {
  const found = await Promise.all((queries.length === 0 ? [''] : queries).map((query) => index.similarTo(query)));
  return index.all().map((note, at) => {
    const least = leastRelevance[note.category] ?? 0;
    const nearest = Math.max(0, ...found.map((near) => near[at]?.similarity ?? 0));
    return { note, similarity: least + (1 - least) * nearest };
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

function scoreOf(similarity: number, newerNotes: number): number {
  return shares.relevance * similarity + shares.recency * 2 ** (-newerNotes / halfLife);
}

/** Counts this recall in each note. `at` is the time of the newest entry before it. */
export function countRetrieval(recalled: readonly Note[], at: string | null): Note[] {
  return recalled.map((note) => ({ ...note, retrievals: note.retrievals + 1, lastRetrieved: at }));
}
