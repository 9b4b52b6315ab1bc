import type { SummaryType } from '../conversation/context';
import type { Entry } from '../conversation/entry';
import type { CountTokens } from '../conversation/tokens';

/** The sections of each kind of block, exactly as ADR 40 and ADR 41 name and order them. Empty ones are left out. */
export const sectionNames = {
  tool_call_batch: [
    'Strategy',
    'Operations',
    'Discoveries',
    'Dead Ends',
    'What Worked',
    'Critical Artifacts',
    'Status',
  ],
  conversation: ['Milestones', 'Key Decisions', 'Findings', 'Attempted & Abandoned', 'Current State', 'Open Items'],
  goal_batch: ['Goal Arc', 'Human Direction', 'What Was Achieved', 'Dead Ends', 'Lasting Constraints', 'Key Artifacts'],
} as const satisfies Record<SummaryType, readonly string[]>;

export type SectionName = (typeof sectionNames)[SummaryType][number];

/** One turn, or the part of one, that a summary is asked of. */
export interface RequestedTurn {
  /** The person's entry that opened the turn: context for `tool_call_batch`, replaced by a `goal_batch`. */
  readonly user: Entry | null;
  /** The entries to be replaced, beneath blocks too, oldest first; the user entry is not among them. */
  readonly entries: readonly Entry[];
  /** Blocks of this turn that are swallowed, as text. */
  readonly blocks: readonly string[];
}

export interface SummaryRequest {
  readonly summaryType: SummaryType;
  readonly sections: readonly SectionName[];
  readonly turns: readonly RequestedTurn[];
  readonly instructions: string | null;
  /** The longest body that is worth having, in counted tokens. */
  readonly maxTokens: number;
  readonly countTokens: CountTokens;
}

/** A piece of an entry, verbatim but for folded white space and a mark where it is cut, and the section it stands in. */
export interface Span {
  readonly section: SectionName;
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
  summarize(request: SummaryRequest, signal: AbortSignal): Promise<Summary>;
}
