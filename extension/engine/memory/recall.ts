import type { Embedder } from '../block/language-model';
import {
  emptyMemory,
  type Memory,
  mergeMemories,
  type Note,
  type Observation,
  type SessionSummary,
} from '../block/memory';
import { brief } from '../conversation/text';
import type { JournalState } from '../journal/journal-state';
import { embeddedText } from './note-index';
import { readCost, shortTime } from './observation-lines';
import { cosine, unitVector } from './vectors';

type Remembered =
  | { readonly kind: 'note'; readonly item: Note }
  | { readonly kind: 'observation'; readonly item: Observation }
  | { readonly kind: 'summary'; readonly item: SessionSummary };

/** A line of a search or a timeline. 50 to 100 tokens, enough to decide whether to fetch the whole item. */
export interface MemoryLine {
  readonly id: string;
  readonly kind: Remembered['kind'];
  /** The type of an observation, or the category of a note. */
  readonly type: string;
  readonly timestamp: string | null;
  readonly title: string;
  readonly detail: string;
  /** Tokens of the whole item, estimated at four characters each. */
  readonly readCost: number;
}

export interface MemoryHit extends MemoryLine {
  /** The cosine of query and text, plus 1 if the text contains the query. */
  readonly score: number;
}

export type Timeline =
  | {
      readonly kind: 'found';
      readonly before: readonly MemoryLine[];
      readonly at: MemoryLine;
      readonly after: readonly MemoryLine[];
    }
  | { readonly kind: 'unknown' };

interface Fetched {
  /** In the order of the requested ids. */
  readonly found: readonly Remembered[];
  readonly unknown: readonly string[];
}

/** The memory of all active blocks of a journal. */
export function memoryOf({ compactions }: JournalState): Memory {
  return mergeMemories(compactions.flatMap(({ record, active }) => (active ? [record.memory ?? emptyMemory] : [])));
}

const maxHits = 10;
const timelineReach = 3;

/** The items nearest to a query, best first. Items that contain the query verbatim come before all others. */
export async function search(
  memory: Memory,
  query: string,
  { embedder, signal, most = maxHits }: { embedder: Embedder; signal: AbortSignal; most?: number },
): Promise<MemoryHit[]> {
  const all = everything(memory);
  const [wanted = [], ...vectors] = await embedder.embed([query, ...all.map(searchedText)], signal);
  const target = unitVector(wanted);
  return all
    .map((remembered, index) => ({
      ...memoryLine(remembered),
      score: cosine(target, unitVector(vectors[index] ?? [])) + (containsQuery(remembered, query) ? 1 : 0),
    }))
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, most);
}

function containsQuery(remembered: Remembered, query: string): boolean {
  return query.trim() !== '' && wholeText(remembered).toLowerCase().includes(query.trim().toLowerCase());
}

/** The items of the same kind directly before and after an item. */
export function timeline(memory: Memory, id: string): Timeline {
  const kindOfIt = everything(memory).find(({ item }) => item.id === id)?.kind;
  const stream = everything(memory).filter(({ kind }) => kind === kindOfIt);
  const at = stream.findIndex(({ item }) => item.id === id);
  const found = stream[at];
  if (!found) return { kind: 'unknown' };
  return {
    kind: 'found',
    before: stream.slice(Math.max(0, at - timelineReach), at).map(memoryLine),
    at: memoryLine(found),
    after: stream.slice(at + 1, at + 1 + timelineReach).map(memoryLine),
  };
}

export function fetchRemembered(memory: Memory, ids: readonly string[]): Fetched {
  const known = new Map(everything(memory).map((remembered) => [remembered.item.id, remembered]));
  return {
    found: ids.flatMap((id) => known.get(id) ?? []),
    unknown: ids.filter((id) => !known.has(id)),
  };
}

function everything({ notes, observations, summaries }: Memory): Remembered[] {
  return [
    ...notes.map((item) => ({ kind: 'note', item }) as const),
    ...observations.map((item) => ({ kind: 'observation', item }) as const),
    ...summaries.map((item) => ({ kind: 'summary', item }) as const),
  ];
}

const titleLength = 120;
const detailLength = 160;

function memoryLine(remembered: Remembered): MemoryLine {
  const { kind, item } = remembered;
  const common = { id: item.id, kind, timestamp: item.timestamp };
  switch (kind) {
    case 'note': {
      const { category, content, context } = item;
      return { ...common, type: category, ...texts(content, context), readCost: costOf(remembered) };
    }
    case 'observation': {
      const { type, title, subtitle } = item;
      return { ...common, type, ...texts(title, subtitle), readCost: readCost(item) };
    }
    case 'summary': {
      const { request, completed, learned } = item;
      return { ...common, type: 'session', ...texts(request || completed, learned), readCost: costOf(remembered) };
    }
  }
}

function texts(title: string, detail: string): { title: string; detail: string } {
  return { title: brief(title, titleLength), detail: brief(detail, detailLength) };
}

function costOf(remembered: Remembered): number {
  return Math.ceil(wholeText(remembered).length / 4);
}

/** The text that is embedded. Its beginning says what the item is. */
function searchedText(remembered: Remembered): string {
  if (remembered.kind === 'note') return embeddedText(remembered.item);
  if (remembered.kind === 'summary') return wholeText(remembered);
  const { title, subtitle, facts } = remembered.item;
  return [title, subtitle, ...facts].join('\n');
}

export function wholeText({ kind, item }: Remembered): string {
  switch (kind) {
    case 'note':
      return noteText(item);
    case 'observation':
      return observationText(item);
    case 'summary':
      return summaryText(item);
  }
}

function noteText(note: Note): string {
  return lines([
    [`${note.id} · ${note.category} · ${shortTime(note.timestamp)} · by ${note.by}`, note.content],
    ['context', note.context],
    ['keywords', note.keywords.join(', ')],
    ['tags', note.tags.join(', ')],
    ['links', note.links.join(', ')],
    ['changed', note.evolution.join('; ')],
    ['recalled', note.retrievals === 0 ? '' : `${note.retrievals} times`],
    ['entries', note.entryIds.join(', ')],
  ]);
}

function observationText(observation: Observation): string {
  return lines([
    [
      `${observation.id} · ${observation.type} · ${shortTime(observation.timestamp)} · by ${observation.by}`,
      observation.title,
    ],
    ['in short', observation.subtitle],
    ...observation.facts.map((fact) => ['fact', fact] as const),
    ['what happened', observation.narrative],
    ['concepts', observation.concepts.join(', ')],
    ['files read', observation.filesRead.join(', ')],
    ['files modified', observation.filesModified.join(', ')],
    ['tokens of the work', String(observation.discoveryTokens)],
    ['entries', observation.entryIds.join(', ')],
  ]);
}

function summaryText(summary: SessionSummary): string {
  return lines([
    [`${summary.id} · session · ${shortTime(summary.timestamp)}`, summary.request],
    ['investigated', summary.investigated],
    ['learned', summary.learned],
    ['completed', summary.completed],
    ['next steps', summary.nextSteps],
    ['notes', summary.notes],
  ]);
}

function lines(fields: readonly (readonly [string, string])[]): string {
  return fields
    .filter(([, value], index) => index === 0 || value !== '')
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}
