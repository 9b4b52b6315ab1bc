/**
 * The memory of the entries that a block replaces, and notes of earlier blocks that its strategy changed,
 * under their ids. The journal stores it with the block, so undoing the block takes it back.
 */
export interface Memory {
  readonly notes: readonly Note[];
  readonly observations: readonly Observation[];
  readonly summaries: readonly SessionSummary[];
}

/** One atomic note in the manner of A-MEM, linked to others. */
export interface Note {
  readonly id: string;
  readonly content: string;
  /** Most important first. */
  readonly keywords: readonly string[];
  readonly tags: readonly string[];
  /** One sentence about topic, points and purpose. */
  readonly context: string;
  readonly category: string;
  /** Ids of other notes. */
  readonly links: readonly string[];
  /** ISO 8601, from its entry; null if the entry has none. */
  readonly timestamp: string | null;
  readonly entryIds: readonly string[];
  /** Changes to this note by later ones, oldest first. */
  readonly evolution: readonly string[];
  /** Number of blocks that this note was recalled for. */
  readonly retrievals: number;
  /** ISO 8601: time of the newest entry before the block that last recalled this note; null if none did. */
  readonly lastRetrieved: string | null;
  /** Who wrote keywords, tags and context. */
  readonly by: 'model' | 'extraction';
}

export const observationTypes = [
  'bugfix',
  'feature',
  'refactor',
  'change',
  'discovery',
  'decision',
  'security_alert',
  'security_note',
  'sensitive',
] as const;
export type ObservationType = (typeof observationTypes)[number];

/** A result or finding of one or a few tool uses, in the manner of claude-mem. */
export interface Observation {
  readonly id: string;
  readonly type: ObservationType;
  readonly title: string;
  /** At most 24 words. */
  readonly subtitle: string;
  /** Each fact is understandable on its own. */
  readonly facts: readonly string[];
  readonly narrative: string;
  readonly concepts: readonly string[];
  readonly filesRead: readonly string[];
  readonly filesModified: readonly string[];
  /** Tokens of the tool uses that it summarises. */
  readonly discoveryTokens: number;
  readonly timestamp: string | null;
  readonly entryIds: readonly string[];
  readonly by: 'model' | 'extraction';
}

export interface SessionSummary {
  readonly id: string;
  readonly request: string;
  readonly investigated: string;
  readonly learned: string;
  readonly completed: string;
  readonly nextSteps: string;
  readonly notes: string;
  readonly timestamp: string | null;
}

export const emptyMemory: Memory = { notes: [], observations: [], summaries: [] };

/** Merges memories, oldest first. Of items with the same id, the newest wins. */
export function mergeMemories(memories: readonly Memory[]): Memory {
  return {
    notes: newestById(memories.flatMap(({ notes }) => notes)),
    observations: newestById(memories.flatMap(({ observations }) => observations)),
    summaries: newestById(memories.flatMap(({ summaries }) => summaries)),
  };
}

/** In the order in which the ids first appear. */
export function newestById<T extends { readonly id: string }>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}
