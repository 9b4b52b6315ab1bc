import type { Entry, Origin } from './entry';
import type { ForkedContext } from './forked';

/** A compaction that the agent itself carried out, read from its session file. */
export interface AgentCompaction {
  readonly id: string;
  /** `summary`: a summary replaced entries. `cleared`: tool results were emptied in place. */
  readonly kind: 'summary' | 'cleared';
  readonly timestamp: string | null;
  /** The entry with the summary; null for `cleared`. */
  readonly summaryEntryId: string | null;
  /** The summary is encrypted: only the agent's provider can read it. */
  readonly isOpaque?: true;
  /** The entries that the compaction removed from the agent's context, or emptied, in order. */
  readonly replacedEntryIds: readonly string[];
  /** As reported by the agent. */
  readonly tokensBefore: number | null;
  readonly tokensAfter: number | null;
  readonly trigger: 'manual' | 'automatic' | null;
  readonly origin: Origin;
  /** In a fork: the entry that repeats its summary in the context that Strata wrote. */
  readonly repeatedBy?: string;
  /** Strata wrote it into a fork: the ids of the messages of its context then, oldest first. */
  readonly byStrata?: readonly string[];
}

/** The entries that the agent's context began with after the compaction, as far as they are known. */
export function idsWritten({ summaryEntryId, byStrata }: AgentCompaction): readonly string[] {
  return byStrata ?? (summaryEntryId === null ? [] : [summaryEntryId]);
}

/**
 * Everything that happened in one session of one agent. Immutable: following a session returns a new value that shares
 * the old entries.
 */
export interface Conversation {
  /** In file order, including abandoned branches and entries that the agent compacted. */
  readonly entries: readonly Entry[];
  /**
   * The entries that the agent itself would send now, oldest first. An entry that the agent edited, such as a cleared tool result,
   * is here in its edited form under the id of the original. Entries that the agent synthesizes, such as a result for a
   * call without one, are only here.
   */
  readonly agentContext: readonly Entry[];
  readonly agentCompactions: readonly AgentCompaction[];
  /** The file lacks the beginning of the session, so the original goal is unknown. */
  readonly beginsMidway?: true;
  /** Strata wrote this session as a fork with a compacted context, and the agent has not compacted it since. */
  readonly fork?: ForkedContext;
}
