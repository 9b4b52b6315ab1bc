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

/** How the context of one conversation is managed. Only the window is required. */
export interface ContextOptions {
  /** Context window of the model in tokens. */
  readonly window: number;
  /** Name of the strategy. Default: `ladder`. See `strategies()`. */
  readonly strategy?: string;
  /** By strategy name; absent ones have their defaults. For a window that is too small for the defaults, numbers of tokens are shares of it. */
  readonly parameters?: Readonly<Record<string, Parameters>>;
  /** Writes the blocks. Default: the model if there is one, else extracts of the messages. */
  readonly summarizer?: Summarizer;
  /** For strategies that ask a model, and for summaries if there is no `summarizer`. */
  readonly model?: LanguageModel;
  /** Context window of that model in tokens. Default: 32,768. */
  readonly modelWindow?: number;
  /** For strategies that search by meaning. `strata-context/node` has one that needs no network. */
  readonly embedder?: Embedder;
  /**
   * Absent: an estimate of `o200k_base`, whose table (0.4 MB) is loaded for it. `countWithO200k` of `strata-context/o200k`
   * counts exactly.
   */
  readonly countTokens?: CountTokens;
  /** Absent: in memory. */
  readonly journal?: Journal;
  /** Absent: in memory. */
  readonly conversation?: ConversationStore;
  /** When `compactIfNeeded` compacts. */
  readonly automation?: Partial<AutomationOptions>;
  /** Called with the reason why compaction by cost starts or waits, once for each change between the two. */
  readonly onSchedule?: (sentence: string) => void;
  /** Decides what happens to facts that a summary dropped. Default: `repair`. */
  readonly verification?: VerificationMode;
  /** Names the conversation in a journal in memory. */
  readonly id?: string;
  readonly effects?: Partial<Effects>;
  /**
   * Count tokens and prepare compactions off the main thread: `compactingThreads()` of `strata-context/node`. Not used with a
   * `countTokens` that is not Strata's, nor for strategies that you registered, because functions cannot be sent to a thread. Default: all
   * work is done on the calling thread.
   */
  readonly threads?: Threads;
}

/** Does the work of many conversations. */
export interface Threads {
  /** For one conversation. */
  background(): Background;
}

/** How one compaction differs from the options of the context. */
export interface CompactOptions {
  readonly strategy?: string;
  readonly parameters?: Readonly<Record<string, Parameters>>;
  /** Instructions for the summary. */
  readonly instructions?: string;
  readonly verification?: VerificationMode;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: RunProgress) => void;
}
