import type { Estimate } from './report';

/** What the work after one boundary of a real session needed, and how much of it each way holds. */
export interface ReplayBoundary {
  readonly id: string;
  readonly session: { readonly agent: string; readonly title: string; readonly file: string };
  /** `agent`: the agent compacted here. `simulated`: nobody did; the work went on. */
  readonly kind: 'agent' | 'simulated';
  /** The line of the session file at which it stands, 1-based. */
  readonly line: number;
  readonly replacedTokens: number;
  /** Names that the work after it used and that were known before. */
  readonly names: readonly string[];
  /** Sentences of the person that were still in force. */
  readonly directions: readonly string[];
  /** Tokens that every way was given: those of the agent's own summary, or a share of what was replaced. */
  readonly budget: number;
  readonly ways: readonly ReplayWay[];
}

export interface ReplayWay {
  /** The strategy; `agent` for the agent's own summary, `everything` for what was replaced itself. */
  readonly way: string;
  /** What stands in the place of the replaced entries. */
  readonly text: string;
  readonly tokens: number;
  /** It took at most a tenth more than the budget: only such ways are compared. */
  readonly isWithinBudget: boolean;
  readonly namesHeld: readonly string[];
  readonly directionsHeld: readonly string[];
}

export interface ReplayCell {
  readonly way: string;
  readonly measure: 'names' | 'directions';
  readonly kind: ReplayBoundary['kind'];
  /** By bootstrap over sessions; null where nothing was needed. */
  readonly estimate: Estimate | null;
  /** Boundaries at which it did not fit the budget: they are not in the estimate. */
  readonly overBudget: number;
  readonly tokens: number;
}

/** What `strata evaluate --sessions` found. */
export interface ReplayReport {
  readonly time: string;
  readonly madeWith: { readonly strata: string; readonly node: string };
  /** Sessions that were read, and why others could not be. */
  readonly sessions: number;
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
  readonly boundaries: readonly ReplayBoundary[];
  readonly cells: readonly ReplayCell[];
  /** Paired against the agent's own summary, where both fit. */
  readonly differences: readonly ReplayDifference[];
}

export interface ReplayDifference {
  readonly way: string;
  readonly measure: 'names' | 'directions';
  readonly estimate: Estimate;
  readonly verdict: 'better' | 'worse' | 'unclear';
}
