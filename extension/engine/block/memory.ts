/**
 * What a memory strategy remembers of the entries that its block replaces, and the notes of earlier blocks that it
 * changed, under their old ids. It is kept in the journal with the block, so undoing the block takes all of it back.
 */
export interface Memory {
  readonly notes: readonly Note[];
  readonly observations: readonly Observation[];
  readonly summaries: readonly SessionSummary[];
}

/** A note of A-MEM: one atomic thing worth remembering, linked to others. */
export interface Note {
  readonly id: string;
  readonly content: string;
  /** Most important first. */
  readonly keywords: readonly string[];
  readonly tags: readonly string[];
  /** One sentence: topic, points, purpose. */
  readonly context: string;
  readonly category: string;
  /** Ids of other notes. */
  readonly links: readonly string[];
  /** ISO 8601, of the entry it comes from; null where that has none. */
  readonly timestamp: string | null;
  readonly entryIds: readonly string[];
  /** What evolution changed in it, oldest first. */
  readonly evolution: readonly string[];
  /** How many blocks it was recalled for. */
  readonly retrievals: number;
  /** ISO 8601, of the newest entry that lay before the block it was last recalled for; null where it never was. */
  readonly lastRetrieved: string | null;
  /** Whether a model wrote keywords, tags and context, or extraction did. */
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

/** What was built or learned by one or a few tool uses, in the manner of claude-mem. */
export interface Observation {
  readonly id: string;
  readonly type: ObservationType;
  readonly title: string;
  /** 24 words at most. */
  readonly subtitle: string;
  /** Each stands alone. */
  readonly facts: readonly string[];
  readonly narrative: string;
  readonly concepts: readonly string[];
  readonly filesRead: readonly string[];
  readonly filesModified: readonly string[];
  /** Tokens of the tool uses that it stands for. */
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

/** Several memories as one, oldest first; what a later one says under the same id holds. */
export function mergeMemories(memories: readonly Memory[]): Memory {
  return {
    notes: newestById(memories.flatMap(({ notes }) => notes)),
    observations: newestById(memories.flatMap(({ observations }) => observations)),
    summaries: newestById(memories.flatMap(({ summaries }) => summaries)),
  };
}

/** In the order in which the ids first came up. */
function newestById<T extends { readonly id: string }>(items: readonly T[]): T[] {
  return [...new Map(items.map((item) => [item.id, item])).values()];
}
