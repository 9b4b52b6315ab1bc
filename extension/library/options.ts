import type { Embedder, LanguageModel } from '../engine/block/language-model';
import type { Parameters } from '../engine/block/plan';
import type { Summarizer } from '../engine/block/summary';
import type { VerificationMode } from '../engine/compaction/verify';
import type { CountTokens } from '../engine/conversation/tokens';
import type { Journal } from '../engine/journal/journal-access';
import type { StrategyChoice } from '../engine/run/registry';
import type { RunProgress } from '../engine/run/run';
import type { ConversationStore } from './stores';

/** How the context of one conversation is kept. Only the window has to be said. */
export interface ContextOptions {
  /** How many tokens the model takes. */
  readonly window: number;
  /** Its name; absent: `pipeline`. See `strategies()`. */
  readonly strategy?: string;
  /** By strategy name; what is absent keeps its default. In a window that is too small for them, numbers of tokens take a share of it. */
  readonly parameters?: Readonly<Record<string, Parameters>>;
  /** Writes the blocks. Absent: the model where there is one, else an extract of the messages' own words. */
  readonly summarizer?: Summarizer;
  /** Asked by the strategies that ask a model, and for summaries where there is no `summarizer`. */
  readonly model?: LanguageModel;
  /** How many tokens that model takes; absent: 32,768. */
  readonly modelWindow?: number;
  /** For strategies that search by meaning. `strata/node` has one that needs no network. */
  readonly embedder?: Embedder;
  /** Absent: o200k, whose tables (2.5 MB) are loaded for it. */
  readonly countTokens?: CountTokens;
  /** Absent: in memory. */
  readonly journal?: Journal;
  /** Absent: in memory. */
  readonly conversation?: ConversationStore;
  /** When `compactIfNeeded` compacts. */
  readonly automation?: Partial<AutomationOptions>;
  /** What becomes of facts that a summary dropped; absent: `repair`. */
  readonly verification?: VerificationMode;
  /** Names the conversation in its journal, where that is in memory. */
  readonly id?: string;
  readonly effects?: Partial<Effects>;
}

export interface AutomationOptions {
  readonly enabled: boolean;
  /** A context of so many tokens or fewer is left alone; absent: 20,000, or half of a small window, or a tenth of a very large one. */
  readonly floorTokens: number;
  /** What must have been added before the next automatic compaction, in tokens; absent: half of what the floor is by itself, or an eighth of a small window. */
  readonly pauseTokens: number;
  /** The share of the size at which a strategy starts that is worth a warning, in percent; absent: 90. */
  readonly warnAtPercent: number;
}

/** What comes from the world. */
export interface Effects {
  /** ISO 8601. */
  readonly now: () => string;
  /** Milliseconds that never run backwards. */
  readonly clock: () => number;
  readonly newId: () => string;
}

/** How one compaction differs from what the context was made with. */
export interface CompactOptions {
  readonly strategy?: string;
  readonly parameters?: Readonly<Record<string, Parameters>>;
  /** What the summary is to look after, in words. */
  readonly instructions?: string;
  readonly verification?: VerificationMode;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
}

/** How a context is made to fit. */
export interface FitOptions extends Pick<CompactOptions, 'strategy' | 'signal'> {
  /** A strategy that is in no list. */
  readonly choice?: StrategyChoice;
  /** Blocks are extracts, whatever summarizer there is. */
  readonly withoutModel?: boolean;
}
