import type { VerbatimFate } from '../../engine/block/loss';
import type { GoalDrift } from '../../engine/history/goal-drift';

/** The context size over the session, and what is left of the person's first messages after each compaction. */
export interface HistoryView {
  /** Oldest first, reduced to what a chart can show. */
  readonly points: readonly HistoryPoint[];
  readonly marks: readonly HistoryMark[];
  /** For each moment at which the context was complete, the index of its newest entry in the conversation. The last one is now. */
  readonly moments: readonly number[];
  /** Number of the person's first messages, on which drift is measured. */
  readonly messages: number;
}

export interface HistoryPoint {
  /** Index of the entry in the conversation, from 0. */
  readonly at: number;
  /** Milliseconds since the epoch. */
  readonly time: number | null;
  /** Tokens of the context after this entry. */
  readonly tokens: number;
  readonly turn: number;
}

/** One compaction on the chart. */
export interface HistoryMark {
  /** The id of its entry in the list. */
  readonly id: string;
  readonly at: number;
  readonly before: number;
  readonly after: number;
  readonly tag: string;
  readonly active: boolean;
  /** How many of the first messages are in the context, and in which form. */
  readonly drift: Readonly<Record<VerbatimFate, number>> | null;
  /** The fate in the context of the original goal, of the goal at this time, and of the goal now; absent if unknown. */
  readonly goals?: GoalDrift;
}
