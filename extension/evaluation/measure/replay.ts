import type { Estimate } from './report';

/** What the work after one boundary of a real session needed, and how much of it each way holds. */
export interface ReplayBoundary {
  readonly id: string;
  /** Copies of one session share its id: it is what the intervals are drawn over. */
  readonly session: { readonly id: string; readonly agent: string; readonly title: string; readonly file: string };
  /** `agent`: the agent compacted here. `simulated`: nobody did; the work went on. */
  readonly kind: 'agent' | 'simulated';
  /** The line of the session file at which it stands, 1-based; 0 in a database. */
  readonly line: number;
  readonly replacedTokens: number;
  /** Names that the work after it used and that were known before. */
  readonly names: readonly string[];
  /** Sentences of the person in the replaced entries that no later one took back, as far as wording tells. */
  readonly directions: readonly string[];
  /** Tokens that every way was given: those of the agent's own summary, or a share of what was replaced. */
  readonly budget: number;
  readonly ways: readonly ReplayWay[];
}

export interface ReplayWay {
  /** The strategy; `agent` for the agent's own summary, `everything` for what was replaced itself. */
  readonly way: string;
  /** What stands in the place of the replaced entries. A very long one is cut here; nothing is measured on the cut one. */
  readonly text: string;
  /** Of all of the text. */
  readonly tokens: number;
  /** It took at most a tenth more than the budget: only such ways are compared. Never of `everything`. */
  readonly isWithinBudget: boolean;
  readonly namesHeld: readonly string[];
  readonly directionsHeld: readonly string[];
}

export interface ReplayCell {
  readonly way: string;
  readonly measure: 'names' | 'directions';
  readonly kind: ReplayBoundary['kind'];
  /**
   * The mean share held, by bootstrap over sessions, of the boundaries where something was needed and the way fit the
   * budget; null for none. `everything` is the ceiling and needs to fit none. Ways that fit at other boundaries are not
   * comparable by this, but by `differences`.
   */
  readonly estimate: Estimate | null;
  /** Boundaries at which it did not fit the budget: they are not in the estimate. */
  readonly overBudget: number;
  /** Mean tokens over the boundaries of the estimate; 0 for none. */
  readonly tokens: number;
}

/** What `strata evaluate --sessions` found. */
export interface ReplayReport {
  readonly time: string;
  readonly madeWith: { readonly strata: string; readonly node: string };
  /** Sessions that were read, copies counted once. */
  readonly sessions: number;
  /** What was left out and why: files, lines of files, boundaries. */
  readonly skipped: readonly { readonly file: string; readonly reason: string }[];
  readonly boundaries: readonly ReplayBoundary[];
  readonly cells: readonly ReplayCell[];
  /** Paired: the same boundaries, where both fit. */
  readonly differences: readonly ReplayDifference[];
}

export interface ReplayDifference {
  readonly way: string;
  /** The agent's own summary; `checkpoint` at simulated boundaries, where there is none. */
  readonly against: string;
  readonly kind: ReplayBoundary['kind'];
  readonly measure: 'names' | 'directions';
  readonly estimate: Estimate;
  readonly verdict: 'better' | 'worse' | 'unclear';
}
