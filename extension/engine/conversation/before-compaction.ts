import type { AgentCompaction, Conversation } from './conversation';

/**
 * Ids of the entries that existed when the agent compacted, the summary included. Line numbers decide only for
 * clearings: sessions with several files or in a database have no common line numbers.
 */
export function entriesBefore(
  { kind, summaryEntryId, replacedEntryIds, origin }: AgentCompaction,
  { entries }: Conversation,
): ReadonlySet<string> {
  if (kind === 'cleared' && origin.line > 0) {
    return new Set(entries.filter((entry) => entry.origin.line <= origin.line).map(({ id }) => id));
  }
  const last = summaryEntryId ?? replacedEntryIds.at(-1);
  const end = entries.findLastIndex(({ id }) => id === last);
  return new Set(entries.slice(0, end + 1).map(({ id }) => id));
}
