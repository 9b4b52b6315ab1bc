import type { Entry } from '../conversation/entry';
import type { CountTokens } from '../conversation/tokens';
import type { CoreState } from '../core/core';
import type { SectionName } from './sections';

/** A turn, or part of one, to be summarised. */
export interface RequestedTurn {
  /** The user's entry that opened the turn. */
  readonly user: Entry | null;
  /** Whether the user's entry is replaced with the turn. Otherwise it stays before the block. */
  readonly userIsReplaced: boolean;
  /** The replaced entries, including those beneath blocks, oldest first, without `user`. */
  readonly entries: readonly Entry[];
  /** The swallowed blocks of this turn, in context order. */
  readonly blocks: readonly RequestedBlock[];
}

/** A block that a new one swallows. */
export interface RequestedBlock {
  /** Starts with the tag. */
  readonly text: string;
  /** The entries beneath it. */
  readonly entryIds: readonly string[];
  readonly isByModel: boolean;
}

export interface SummaryRequest {
  readonly summaryType: string;
  /** Empty for a summary in running text. */
  readonly sections: readonly SectionName[];
  readonly turns: readonly RequestedTurn[];
  readonly instructions: string | null;
  /** The protected core. It is in the context anyway, so a summary need not repeat it. */
  readonly core: CoreState | null;
  /** The user's message of the live turn: what the work that follows is about. */
  readonly liveGoal: string | null;
  /**
   * All entries that the agent would send, in order. The ones after the replaced entries show what no longer holds.
   * Absent: nothing came later.
   */
  readonly context?: readonly Entry[];
  /**
   * The tool by which the agent retrieves what a block leaves out. Absent: it cannot, so blocks contain no references.
   */
  readonly recallTool?: string;
  /** Maximum length of the body in counted tokens. */
  readonly maxTokens: number;
  readonly countTokens: CountTokens;
}

/**
 * An excerpt of an entry and the section that contains it. Verbatim, except for folded white space and an ellipsis
 * where it is cut.
 */
export interface Span {
  /** Null in running text. */
  readonly section: SectionName | null;
  readonly text: string;
  readonly entryId: string;
}

export interface Summary {
  /** The sections, without the tag. */
  readonly body: string;
  /** The sources of the body's text, as far as the summarizer knows them. */
  readonly spans: readonly Span[];
  readonly tokensSpent: { readonly input: number; readonly output: number };
  readonly promptHash: string | null;
}

/** Writes summaries: without a model, or with a command, a server or a model of VS Code. */
export interface Summarizer {
  readonly name: string;
  readonly model: string | null;
  /** How many requests may run at once. */
  readonly concurrency: number;
  /** `onText` is called with the body so far while it streams. */
  summarize(request: SummaryRequest, signal: AbortSignal, onText?: (text: string) => void): Promise<Summary>;
  /**
   * Writes several blocks with one call: as many of these requests, from the first, as fit into it. They have the same
   * type and sections. Null if only one fits. Absent: each block takes a call of its own.
   */
  summarizeTogether?(
    requests: readonly SummaryRequest[],
    signal: AbortSignal,
    onText?: (text: string) => void,
  ): Promise<SharedSummaries | null>;
}

/** The texts that one call wrote for several requests. */
export interface SharedSummaries {
  /** One for each request that went into the call, in order. Null if the answer has no usable part for the request. */
  readonly summaries: readonly (Summary | null)[];
  /** Tokens of the whole call; each summary has its share. */
  readonly tokensSpent: Summary['tokensSpent'];
}
