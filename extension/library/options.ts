import type { AutomationOptions } from '../conversations/compaction/settings';
import type { ConversationStore } from '../conversations/shelves/recorded';
import type { Embedder, LanguageModel } from '../engine/block/language-model';
import type { Parameters } from '../engine/block/plan';
import type { Summarizer } from '../engine/block/summary';
import type { VerificationMode } from '../engine/compaction/verify';
import type { CountTokens } from '../engine/conversation/tokens';
import type { Journal } from '../engine/journal/journal-access';
import type { Background } from '../engine/run/background';
import type { RunProgress } from '../engine/run/prepare/run-input';
import type { Effects } from '../engine/run/workbench';

/** How the context of one conversation is kept. Only the window has to be said. */
export interface ContextOptions {
  /** How many tokens the model takes. */
  readonly window: number;
  /** Its name; absent: `ladder`. See `strategies()`. */
  readonly strategy?: string;
  /** By strategy name; what is absent keeps its default. In a window that is too small for them, numbers of tokens take a share of it. */
  readonly parameters?: Readonly<Record<string, Parameters>>;
  /** Writes the blocks. Absent: the model where there is one, else an extract of the messages' own words. */
  readonly summarizer?: Summarizer;
  /** Asked by the strategies that ask a model, and for summaries where there is no `summarizer`. */
  readonly model?: LanguageModel;
  /** How many tokens that model takes; absent: 32,768. */
  readonly modelWindow?: number;
  /** For strategies that search by meaning. `strata-context/node` has one that needs no network. */
  readonly embedder?: Embedder;
  /**
   * Absent: an estimate of `o200k_base`, whose table (0.5 MB) is loaded for it. `countWithO200k` of `strata-context/o200k`
   * counts exactly.
   */
  readonly countTokens?: CountTokens;
  /** Absent: in memory. */
  readonly journal?: Journal;
  /** Absent: in memory. */
  readonly conversation?: ConversationStore;
  /** When `compactIfNeeded` compacts. */
  readonly automation?: Partial<AutomationOptions>;
  /** Told why compaction by cost starts or waits, once for each change between the two. */
  readonly onSchedule?: (sentence: string) => void;
  /** What becomes of facts that a summary dropped; absent: `repair`. */
  readonly verification?: VerificationMode;
  /** Names the conversation in its journal, where that is in memory. */
  readonly id?: string;
  readonly effects?: Partial<Effects>;
  /**
   * Count tokens and prepare compactions off the main thread: `compactingThreads()` of `strata-context/node`. Not used with a
   * `countTokens` that is not Strata's, nor for strategies that you registered, because functions cannot go to a thread. Absent: all is
   * done where it is asked for.
   */
  readonly threads?: Threads;
}

/** Where the work of many conversations is done. */
export interface Threads {
  /** For one conversation. */
  background(): Background;
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
