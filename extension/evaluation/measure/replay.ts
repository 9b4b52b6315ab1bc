import type { Estimate } from './report';

/** What the work after one boundary of a real session needed, and how much of it each way keeps. */
export interface ReplayBoundary {
  readonly id: string;
  /** Copies of one session share its id, and the bootstrap resamples by id. */
  readonly session: {
    readonly id: string;
    readonly agent: string;
    readonly title: string;
    readonly file: string;
    /** The folder that the agent worked in; the session's file if that is not known. */
    readonly project: string;
  };
  /** `agent`: the agent compacted here. `simulated`: it did not. */
  readonly kind: 'agent' | 'simulated';
  /** 1-based line in the session file; 0 in a database. */
  readonly line: number;
  readonly replacedTokens: number;
  /** Names that the following work used and that occur in the replaced entries. */
  readonly names: readonly string[];
  /** Directions of the person in the replaced entries that no later sentence withdrew, judged by wording. */
  readonly messages: readonly string[];
  /** Tokens that each way may use: the size of the agent's own summary, or a share of the replaced entries. */
  readonly budget: number;
  readonly ways: readonly ReplayWay[];
  /** What was read again after it. Null at simulated boundaries, and where the session has no points to compare with. */
  readonly again: RepeatsSpared | null;
}

/** Calls that read or searched, and tokens of their results. */
export interface RepeatCount {
  readonly calls: number;
  readonly tokens: number;
}

/**
 * What an agent read or searched again after a compaction, and how much of that it does at points of the same session
 * without one. The same calls are compared: as many from each point on, against as many before it.
 */
export interface Repeats {
  /** Calls from each point on that are looked at. */
  readonly window: number;
  readonly after: RepeatCount;
  /** Mean over the matched points. */
  readonly matched: RepeatCount;
  readonly points: number;
}

export interface RepeatsSpared extends Repeats {
  /** By strategy with its own parameters; empty if nothing was repeated. */
  readonly spared: readonly SparedBy[];
}

export interface SparedBy {
  readonly way: string;
  /** Share of the repeated outputs that its context still has. */
  readonly share: number;
  /** Tokens that it leaves of the replaced entries. */
  readonly tokens: number;
}

export interface ReplayWay {
  /** Name of the strategy; `agent` for the agent's own summary, `everything` for the replaced entries themselves. */
  readonly way: string;
  /** What stands for the replaced entries. Long texts are shortened here, after they were measured. */
  readonly text: string;
  /** Tokens of the full text. */
  readonly tokens: number;
  /** At most 10 % over the budget; only such ways are compared. False for `everything`. */
  readonly isWithinBudget: boolean;
  readonly namesHeld: readonly string[];
  readonly messagesHeld: readonly string[];
}

/** What one boundary adds to the estimates. */
export interface BoundaryScore {
  readonly session: string;
  readonly kind: ReplayBoundary['kind'];
  /** Numbers of what was needed. */
  readonly names: number;
  readonly messages: number;
  readonly ways: readonly WayScore[];
  readonly project: string;
  readonly again: RepeatsSpared | null;
}

export interface WayScore {
  readonly way: string;
  readonly tokens: number;
  readonly isWithinBudget: boolean;
  /** Numbers of what was needed and is kept. */
  readonly names: number;
  readonly messages: number;
}

export interface ReplayCell {
  readonly way: string;
  readonly measure: 'names' | 'messages';
  readonly kind: ReplayBoundary['kind'];
  /**
   * Mean share kept, with its bootstrap over sessions, at the boundaries where something was needed and the way fit the
   * budget; null if there are none. `everything` is the ceiling and has no budget. Ways can fit at different boundaries,
   * so compare them by `differences` and not by this.
   */
  readonly estimate: Estimate | null;
  /** Boundaries where the way did not fit the budget; not in the estimate. */
  readonly overBudget: number;
  /** Mean tokens over the boundaries of the estimate; 0 if there are none. */
  readonly tokens: number;
}

/** Result of `strata evaluate --sessions`. */
export interface ReplayReport {
  readonly time: string;
  readonly madeWith: { readonly strata: string; readonly node: string };
  /** Sessions read; copies count once. */
  readonly sessions: number;
  /** Files, lines and boundaries left out, with the reason. */
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
  /** Boundaries measured, by kind. */
  readonly measured: Readonly<Record<ReplayBoundary['kind'], number>>;
  /** The measured boundaries; of many, some that are evenly spread. */
  readonly boundaries: readonly ReplayBoundary[];
  readonly cells: readonly ReplayCell[];
  /** Null if no compaction has points to compare with. */
  readonly behaviour: ReplayBehaviour | null;
  /** Paired by boundary, where both fit the budget. */
  readonly differences: readonly ReplayDifference[];
}

export interface ReplayDifference {
  readonly way: string;
  /** `agent`; `checkpoint` at simulated boundaries, where the agent made no summary. */
  readonly against: string;
  readonly kind: ReplayBoundary['kind'];
  readonly measure: 'names' | 'messages';
  readonly estimate: Estimate;
  readonly verdict: 'better' | 'worse' | 'unclear';
}

/**
 * Outputs that agents had before and asked for again, after their compactions and at matched points of the same sessions without
 * one. Bootstrap over projects.
 */
export interface ReplayBehaviour {
  readonly compactions: number;
  /** Of ten calls that read or searched, how many repeated an earlier one. */
  readonly calls: RepeatEstimates;
  /** Tokens of repeated outputs, for each ten such calls. */
  readonly tokens: RepeatEstimates;
  /** Share of the outputs repeated after a compaction that the context of each strategy still has. */
  readonly spared: readonly { readonly way: string; readonly estimate: Estimate; readonly tokens: number }[];
}

export interface RepeatEstimates {
  readonly after: Estimate;
  readonly matched: Estimate;
  readonly difference: Estimate;
}
