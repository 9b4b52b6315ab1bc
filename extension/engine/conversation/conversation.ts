import type { Entry, Origin } from './entry';

/** A compaction that the agent carried out by itself, as its session file tells. */
export interface AgentCompaction {
  readonly id: string;
  /** `summary`: a summary took the place of entries. `cleared`: tool results were emptied in their places. */
  readonly kind: 'summary' | 'cleared';
  readonly timestamp: string | null;
  /** The entry with the summary; null for `cleared`. */
  readonly summaryEntryId: string | null;
  /** The summary is encrypted in the file: only the agent's provider can read it. */
  readonly isOpaque?: true;
  /** Entries that were in the agent's context before and are not in it after (or are emptied), in order. */
  readonly replacedEntryIds: readonly string[];
  /** As the agent reported them. */
  readonly tokensBefore: number | null;
  readonly tokensAfter: number | null;
  readonly trigger: 'manual' | 'automatic' | null;
  readonly origin: Origin;
}

/**
 * Everything that happened in one session of one agent. Never altered: following a session yields a new value that
 * shares all old entries with the one before.
 */
export interface Conversation {
  /** In file order; entries on abandoned branches and beneath the agent's compactions included. */
  readonly entries: readonly Entry[];
  /**
   * What the agent itself would send now, oldest first. An entry that the agent edited (a cleared tool result) stands
   * here in its edited form under the id of the original. What the agent makes up (a result for a call that never got
   * one) stands here alone.
   */
  readonly agentContext: readonly Entry[];
  readonly agentCompactions: readonly AgentCompaction[];
  /** What came first is not in the file, so nobody can tell from it what the person wanted at first. */
  readonly beginsMidway?: true;
}
