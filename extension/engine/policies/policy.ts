import type { LanguageModel } from '../block/language-model';
import type { Parameters } from '../block/plan';
import type { LocalizableText } from '../wording/localizable-text';
import type { HistoryEntry } from './history';

/**
 * Decides from a history alone when to compact, which entries to take, and what text replaces them. It has no clock: an
 * age is a number of entries. Pure, except for the model that `summarize` may call. Strata rounds the choice to whole
 * turns before it asks for the text, so the text must only be about the entries it is given.
 */
export interface CompactionPolicy<P extends Parameters = Parameters> {
  /** Lower-case words joined by underscores. Also the `summary_type` of the policy's blocks. */
  readonly name: string;
  /** Shown to a person who chooses. A string is shown in every display language as it is. */
  readonly title: string | LocalizableText;
  readonly description: string | LocalizableText;
  readonly defaults: P;
  /** Parameters with which it takes everything but the live turn, which is the newest entry, for comparisons on equal terms. Absent: its defaults. */
  readonly keepingNothing?: Partial<P>;
  /** Whether the history is long enough for an automatic compaction. */
  shouldCompact(history: readonly HistoryEntry[], parameters: P, memory: PolicyMemory): boolean;
  /** The fate of each entry, in the same order. */
  tiers(history: readonly HistoryEntry[], parameters: P): readonly Fate[];
  /** The text that replaces the entries of one tier; null discards them. */
  summarize(tier: Tier, context: PolicyContext<P>): string | null | Promise<string | null>;
  /** The tier whose summaries are carried over cycles instead of being summarised again. They are single lines. */
  readonly remembers?: Remembering;
}

/** An entry stays, or is summarised with the other entries of its tier. */
export type Fate = 'stays' | 'summarized' | { readonly tier: string };

export interface Tier {
  /** Null if the policy has only one tier. */
  readonly name: string | null;
  /** Oldest first; never empty. */
  readonly entries: readonly HistoryEntry[];
}

export interface PolicyContext<P extends Parameters = Parameters> {
  readonly parameters: P;
  /** The agent's task. */
  readonly task: string | null;
  /** The person's instructions for the summary. */
  readonly instructions: string | null;
  /** Null if no model is available. */
  readonly model: LanguageModel | null;
  readonly signal: AbortSignal;
}

export interface Remembering {
  readonly tier: string;
  /** Number of newest summaries that are kept. */
  readonly last: number;
}

/** Summaries of earlier cycles, oldest first. */
export interface PolicyMemory {
  readonly historicalSummaries: readonly string[];
}

export const emptyMemory: PolicyMemory = { historicalSummaries: [] };

/** A policy violates its contract. The message names the policy and the violation. */
export class BrokenPolicy extends Error {
  override name = 'BrokenPolicy';
}
