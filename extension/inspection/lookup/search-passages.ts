import type { Embedder } from '../../engine/block/language-model';
import type { Entry } from '../../engine/conversation/entry';
import { cosine, unitVector } from '../../engine/memory/vectors';
import { isSpoken, type Passage, passagesOf } from './passages';
import { rankByWords } from './word-ranking';

export interface SearchTools {
  /** Null: search by words only. */
  readonly embedder: Embedder | null;
  readonly signal: AbortSignal;
  /** Called if the embedder failed; the search continues by words only. */
  readonly warn: (message: string) => void;
}

export interface PassageHit {
  readonly passage: Passage;
  readonly score: number;
}

/** Maximum number of passages compared by meaning: the best by words, then the newest of user and agent. */
const nearestByWords = 24;
const comparedByMeaning = 32;

/** Minimum cosine similarity of a hit that shares no word with the query. */
const nearInMeaning = 0.45;

/** Weight of text by the user and the agent, which matters more often than tool output. */
const spokenWeight = 1.5;

/** Hits for the query, best first, without duplicate texts. Hits that contain the query verbatim come first. */
export async function searchPassages(
  entries: readonly Entry[],
  query: string,
  tools: SearchTools,
): Promise<readonly PassageHit[]> {
  // The system prompt is the same for every question.
  const passages = entries.filter(({ role }) => role !== 'system').flatMap(passagesOf);
  const byWords = await hitsByWords(passages, query, tools.signal);
  return unique(await byMeaning(byWords, passages, query, tools));
}

/** Scores from 0 to 1, plus 1 for the verbatim query. */
async function hitsByWords(passages: readonly Passage[], query: string, signal: AbortSignal): Promise<PassageHit[]> {
  const texts = passages.map(({ text }) => text);
  const ranked = (await rankByWords(query, texts, signal)).flatMap(({ index, score }) => {
    const passage = passages[index];
    return passage ? [{ passage, score: score * (isSpoken(passage) ? spokenWeight : 1) }] : [];
  });
  const best = ranked.reduce((most, { score }) => Math.max(most, score), 0);
  const verbatim = query.trim().toLowerCase();
  return ranked
    .map(({ passage, score }) => ({ passage, score: score / best + (says(passage, verbatim) ? 1 : 0) }))
    .sort((a, b) => b.score - a.score);
}

async function byMeaning(
  byWords: readonly PassageHit[],
  passages: readonly Passage[],
  query: string,
  { embedder, signal, warn }: SearchTools,
): Promise<readonly PassageHit[]> {
  if (embedder === null) return byWords;
  const best = byWords.slice(0, nearestByWords);
  const compared = [...best, ...newestSaid(passages, byWords, comparedByMeaning - best.length)];
  try {
    const [wanted = [], ...vectors] = await embedder.embed(
      [query, ...compared.map(({ passage }) => passage.text)],
      signal,
    );
    const target = unitVector(wanted);
    const near = compared.flatMap(({ passage, score }, index) => {
      const nearness = cosine(target, unitVector(vectors[index] ?? []));
      return score > 0 || nearness >= nearInMeaning ? [{ passage, score: score + nearness }] : [];
    });
    return [...near.sort((a, b) => b.score - a.score), ...byWords.slice(nearestByWords)];
  } catch (error) {
    signal.throwIfAborted();
    warn(`The search goes by words alone: ${error instanceof Error ? error.message : error}`);
    return byWords;
  }
}

function newestSaid(passages: readonly Passage[], byWords: readonly PassageHit[], most: number): PassageHit[] {
  const found = new Set(byWords.map(({ passage }) => passage));
  return passages
    .filter((passage) => isSpoken(passage) && !found.has(passage))
    .slice(-most)
    .map((passage) => ({ passage, score: 0 }));
}

function says({ text }: Passage, verbatim: string): boolean {
  return verbatim !== '' && text.toLowerCase().includes(verbatim);
}

/** Removes duplicate texts, because agents read the same file repeatedly. */
function unique(hits: readonly PassageHit[]): PassageHit[] {
  const said = new Set<string>();
  return hits.filter(({ passage }) => {
    const text = passage.text.trim();
    const isNew = !said.has(text);
    said.add(text);
    return isNew;
  });
}
