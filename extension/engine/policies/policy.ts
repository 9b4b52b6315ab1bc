import type { LanguageModel } from '../block/language-model';
import type { Parameters } from '../block/plan';
import type { HistoryEntry } from './history';

/**
 * Decides from the history alone when it is compacted, which entries go, and what stands for them. All of it is pure
 * but for the model that `summarize` may ask. Strata rounds the choice to whole turns before it asks for the text, so
 * a text may only speak of the entries that it is handed.
 */
export interface CompactionPolicy<P extends Parameters = Parameters> {
  /** Lower case, words joined by underscores. It is also the `summary_type` of the policy's blocks. */
  readonly name: string;
  /** For a person who chooses. */
  readonly title: string;
  readonly description: string;
  readonly defaults: P;
  /** Whether the history is long enough. A person who asks for a compaction does not wait for it. */
  shouldCompact(history: readonly HistoryEntry[], parameters: P, memory: PolicyMemory): boolean;
  /** Where each entry goes, one for each, in the same order. */
  tiers(history: readonly HistoryEntry[], parameters: P): readonly Fate[];
  /** What stands for the entries of one tier; null discards them without a word. */
  summarize(tier: Tier, context: PolicyContext<P>): string | null | Promise<string | null>;
  /** The tier whose summaries are kept over the cycles instead of being summarized again. They are single lines. */
  readonly remembers?: Remembering;
}

/** An entry stays as it is, or is summarized together with all others of its tier. */
export type Fate = 'stays' | 'summarized' | { readonly tier: string };

export interface Tier {
  /** Null where the policy knows one tier only. */
  readonly name: string | null;
  /** Oldest first; never empty. */
  readonly entries: readonly HistoryEntry[];
}

export interface PolicyContext<P extends Parameters = Parameters> {
  readonly parameters: P;
  /** What the agent works on. */
  readonly task: string | null;
  /** What the person wants the summary to pay attention to. */
  readonly instructions: string | null;
  /** Null where there is none. */
  readonly model: LanguageModel | null;
  readonly signal: AbortSignal;
}

export interface Remembering {
  readonly tier: string;
  /** How many of the newest are kept. */
  readonly last: number;
}

/** What a policy said in earlier cycles, oldest first. */
export interface PolicyMemory {
  readonly historicalSummaries: readonly string[];
}

export const emptyMemory: PolicyMemory = { historicalSummaries: [] };

/** A policy breaks its contract; the message names it and says how. */
export class BrokenPolicy extends Error {
  override name = 'BrokenPolicy';
}
