import type { Embedder } from '../block/language-model';
import type { Note } from '../block/memory';
import { cosine, unitVector } from './vectors';

export interface Neighbour {
  readonly note: Note;
  readonly similarity: number;
}

/** The benchmark's form of A-MEM: what a note says and what is said about it are embedded together. */
export function embeddedText({ content, context, keywords, tags }: Note): string {
  return [content, `keywords: ${keywords.join(', ')}`, `tags: ${tags.join(', ')}`, `context: ${context}`].join('\n');
}

/** Notes with their vectors, oldest first. A vector always belongs to the note as it is now. */
export class NoteIndex {
  readonly #notes = new Map<string, { note: Note; vector: Float64Array }>();

  constructor(
    readonly embedder: Embedder,
    readonly signal: AbortSignal,
  ) {}

  /** Adds notes, or puts them in the place of those with their ids. Only what is embedded anew costs time. */
  async put(notes: readonly Note[]): Promise<void> {
    const stale = notes.filter((note) => !this.#isFresh(note));
    const vectors = await this.embedder.embed(stale.map(embeddedText), this.signal);
    const vectorOf = new Map(stale.map(({ id }, index) => [id, unitVector(vectors[index] ?? [])]));
    for (const note of notes) {
      const vector = vectorOf.get(note.id) ?? this.#notes.get(note.id)?.vector ?? new Float64Array();
      this.#notes.set(note.id, { note, vector });
    }
  }

  #isFresh(note: Note): boolean {
    const known = this.#notes.get(note.id);
    return known !== undefined && embeddedText(known.note) === embeddedText(note);
  }

  get(id: string): Note | undefined {
    return this.#notes.get(id)?.note;
  }

  /** Oldest first. */
  all(): Note[] {
    return [...this.#notes.values()].map(({ note }) => note);
  }

  /** The notes most similar to this one, itself left out, most similar first. Linear in the number of notes. */
  neighboursOf(id: string, count: number): Neighbour[] {
    const vector = this.#notes.get(id)?.vector;
    if (!vector) return [];
    const others = this.#similarities(vector).filter(({ note }) => note.id !== id);
    return others.sort(bySimilarity).slice(0, count);
  }

  /** Every note with its cosine to a text, oldest first. */
  async similarTo(text: string): Promise<Neighbour[]> {
    const [vector = []] = await this.embedder.embed([text], this.signal);
    return this.#similarities(unitVector(vector));
  }

  #similarities(vector: Float64Array): Neighbour[] {
    return [...this.#notes.values()].map(({ note, vector: own }) => ({ note, similarity: cosine(vector, own) }));
  }
}

/** Where two are equally near, the id decides, so that the same notes always come out. */
function bySimilarity(a: Neighbour, b: Neighbour): number {
  return b.similarity - a.similarity || (a.note.id < b.note.id ? -1 : 1);
}
