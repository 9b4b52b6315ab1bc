import type { Embedder } from '../block/language-model';
import type { Note } from '../block/memory';
import { cosine, unitVector } from './vectors';

export interface Neighbour {
  readonly note: Note;
  readonly similarity: number;
}

/** As in A-MEM's benchmark: content, keywords, tags and context are embedded together. */
export function embeddedText({ content, context, keywords, tags }: Note): string {
  return [content, `keywords: ${keywords.join(', ')}`, `tags: ${tags.join(', ')}`, `context: ${context}`].join('\n');
}

/** Notes with their vectors, oldest first. Vectors always match the present notes. */
export class NoteIndex {
  readonly #notes = new Map<string, { note: Note; vector: Float64Array }>();

  constructor(
    readonly embedder: Embedder,
    readonly signal: AbortSignal,
  ) {}

  /** Adds notes or replaces those with the same ids. Embeds only notes whose text changed. */
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

  /** The notes most similar to this one, excluding it, most similar first. Linear in the number of notes. */
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

/** Ids break ties, so that the result is deterministic. */
function bySimilarity(a: Neighbour, b: Neighbour): number {
  return b.similarity - a.similarity || (a.note.id < b.note.id ? -1 : 1);
}
