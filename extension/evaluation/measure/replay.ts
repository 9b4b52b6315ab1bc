import * as v from 'valibot';
import type { Parsed } from './parsed';

// Reports of replayed sessions are shared between people as files, so their content is validated before use.

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const amount = v.pipe(v.number(), v.minValue(0));
const texts = v.array(v.string());
/** `agent`: the agent compacted here. `simulated`: it did not. */
const kind = v.picklist(['agent', 'simulated']);
const measure = v.picklist(['names', 'messages']);
const estimate = v.object({ mean: v.number(), low: v.number(), high: v.number(), count, tasks: count });

const way = v.object({
  /** Name of the strategy; `agent` for the agent's own summary, `everything` for the replaced entries themselves. */
  way: v.string(),
  /** The text that replaces the entries. Long texts are shortened here, after they were measured. */
  text: v.string(),
  /** Tokens of the full text. */
  tokens: amount,
  /** At most 10 % over the budget; only such ways are compared. False for `everything`. */
  isWithinBudget: v.boolean(),
  namesHeld: texts,
  messagesHeld: texts,
});

/** Calls that read or searched, and tokens of their results. */
const repeatCount = v.object({ calls: amount, tokens: amount });

/**
 * Counts what an agent read or searched again after a compaction, and at points of the same session without one. Equally many
 * calls are compared at each point, against equally many before it.
 */
const repeats = v.object({
  /** Number of calls from each point on that are compared. */
  window: count,
  after: repeatCount,
  /** Mean over the matched points. */
  matched: repeatCount,
  points: count,
});

const sparedBy = v.object({
  way: v.string(),
  /** Share of the repeated outputs that its context still has. */
  share: amount,
  /** Tokens that it leaves of the replaced entries. */
  tokens: amount,
});

const again = v.object({
  ...repeats.entries,
  /** By strategy with its own parameters; empty if nothing was repeated. */
  spared: v.array(sparedBy),
});

/** The needs of the work after one boundary of a real session, and how much of them each way keeps. */
export const boundarySchema = v.object({
  id: v.string(),
  session: v.object({
    /** Copies of one session share its id, and the bootstrap resamples by id. */
    id: v.string(),
    agent: v.string(),
    title: v.string(),
    file: v.string(),
    /** The folder that the agent worked in; the session's file if that is not known. */
    project: v.string(),
  }),
  kind,
  /** 1-based line in the session file; 0 in a database. */
  line: count,
  replacedTokens: amount,
  /** Names that the following work used and that occur in the replaced entries. */
  names: texts,
  /** Messages of the person among the replaced entries. */
  messages: texts,
  /** Tokens that each way may use: the size of the agent's own summary, or a share of the replaced entries. */
  budget: amount,
  ways: v.array(way),
  /** The reads after it that repeat earlier ones. Null at simulated boundaries, and if the session has no points to compare with. */
  again: v.nullable(again),
});

const cell = v.object({
  way: v.string(),
  measure,
  kind,
  /**
   * Mean share kept, with its bootstrap over sessions, at the boundaries where something was needed and the way fit the
   * budget; null if there are none. `everything` is the ceiling and has no budget. Ways can fit at different boundaries,
   * so compare them by `differences` and not by this.
   */
  estimate: v.nullable(estimate),
  /** Boundaries where the way did not fit the budget; not in the estimate. */
  overBudget: count,
  /** Mean tokens over the boundaries of the estimate; 0 if there are none. */
  tokens: amount,
});

const repeatEstimates = v.object({ after: estimate, matched: estimate, difference: estimate });

/**
 * Outputs that agents had before and asked for again, after their compactions and at matched points of the same sessions without
 * one. Bootstrap over projects.
 */
const behaviour = v.object({
  compactions: count,
  /** Repeated calls for each ten calls that read or searched. */
  calls: repeatEstimates,
  /** Tokens of repeated outputs, for each ten such calls. */
  tokens: repeatEstimates,
  /** Share of the outputs repeated after a compaction that the context of each strategy still has. */
  spared: v.array(v.object({ way: v.string(), estimate, tokens: amount })),
});

const difference = v.object({
  way: v.string(),
  /** `agent`; `checkpoint` at simulated boundaries, where the agent made no summary. */
  against: v.string(),
  kind,
  measure,
  estimate,
  verdict: v.picklist(['better', 'worse', 'unclear']),
});

/** Result of `strata evaluate --sessions`. */
export const reportSchema = v.object({
  time: v.string(),
  madeWith: v.object({ strata: v.string(), node: v.string() }),
  /** Sessions read; copies count once. */
  sessions: count,
  /** Files, lines and boundaries left out, with the reason. */
  skipped: v.array(v.object({ file: v.string(), reason: v.string() })),
  /** Boundaries measured, by kind. */
  measured: v.object({ agent: count, simulated: count }),
  /** The measured boundaries; of many, some that are evenly spread. */
  boundaries: v.array(boundarySchema),
  cells: v.array(cell),
  /** Null if no compaction has points to compare with. */
  behaviour: v.nullable(behaviour),
  /** Paired by boundary, where both fit the budget. */
  differences: v.array(difference),
});

export type ReplayWay = Parsed<typeof way>;
export type RepeatCount = Parsed<typeof repeatCount>;
export type Repeats = Parsed<typeof repeats>;
export type RepeatsSpared = Parsed<typeof again>;
export type SparedBy = Parsed<typeof sparedBy>;
export type ReplayBoundary = Parsed<typeof boundarySchema>;
export type ReplayCell = Parsed<typeof cell>;
export type RepeatEstimates = Parsed<typeof repeatEstimates>;
export type ReplayBehaviour = Parsed<typeof behaviour>;
export type ReplayDifference = Parsed<typeof difference>;
export type ReplayReport = Parsed<typeof reportSchema>;

/** The values that one boundary adds to the estimates. */
export interface BoundaryScore {
  readonly session: string;
  readonly kind: ReplayBoundary['kind'];
  /** Number of names that were needed. */
  readonly names: number;
  /** Number of messages that were needed. */
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
