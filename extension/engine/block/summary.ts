import type { Entry } from '../conversation/entry';
import type { CountTokens } from '../conversation/tokens';
import type { CoreState } from '../core/core';
import type { SectionName } from './sections';

/** One turn, or the part of one, that a summary is asked of. */
export interface RequestedTurn {
  /** The person's entry that opened the turn. */
  readonly user: Entry | null;
  /** Whether the person's entry is to be replaced with the rest of the turn, or stays before the block. */
  readonly userIsReplaced: boolean;
  /** The entries to be replaced, beneath blocks too, oldest first; the user entry is not among them. */
  readonly entries: readonly Entry[];
  /** Blocks of this turn that are swallowed, as text. */
  readonly blocks: readonly string[];
}

export interface SummaryRequest {
  readonly summaryType: string;
  /** None for a summary in running text. */
  readonly sections: readonly SectionName[];
  readonly turns: readonly RequestedTurn[];
  readonly instructions: string | null;
  /** The protected core: it stands in the context anyway, so a summary need not say it again. */
  readonly core: CoreState | null;
  /** What the person asked for in the live turn: what the work that follows is about. */
  readonly liveGoal: string | null;
  /** The longest body that is worth having, in counted tokens. */
  readonly maxTokens: number;
  readonly countTokens: CountTokens;
}

/** A piece of an entry, verbatim but for folded white space and a mark where it is cut, and the section it stands in. */
export interface Span {
  /** Null in running text. */
  readonly section: SectionName | null;
  readonly text: string;
  readonly entryId: string;
}

export interface Summary {
  /** The sections, without the tag. */
  readonly body: string;
  /** Where the body's words come from, as far as the summarizer knows. */
  readonly spans: readonly Span[];
  readonly tokensSpent: { readonly input: number; readonly output: number };
  readonly promptHash: string | null;
}

/** Turns a request into text. Extractive, OpenAI-compatible and VS Code's models all come in through here. */
export interface Summarizer {
  readonly name: string;
  readonly model: string | null;
  /** How many requests at once do no harm. */
  readonly concurrency: number;
  /** `onText` is called with the body so far while it streams. */
  summarize(request: SummaryRequest, signal: AbortSignal, onText?: (text: string) => void): Promise<Summary>;
}
