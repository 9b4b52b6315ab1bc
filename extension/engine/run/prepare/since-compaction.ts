import { entriesBefore } from '../../conversation/before-compaction';
import { type ContextMessage, coversTurns } from '../../conversation/context';
import type { Conversation } from '../../conversation/conversation';
import { isExclusion } from '../../journal/excluded';
import type { JournalState } from '../../journal/journal-state';

/**
 * Index of the first message after the newest compaction of whole turns, by the agent or by Strata; 0 without one.
 * Messages that such a compaction kept raw are older than it and precede the index.
 */
export function sinceCompaction(
  messages: readonly ContextMessage[],
  conversation: Conversation,
  { compactions }: JournalState,
): number {
  const agents = conversation.agentCompactions.findLast(({ kind }) => kind === 'summary');
  const before = agents ? entriesBefore(agents, conversation) : null;
  const own = compactions.findLast(
    ({ record, active }) => active && coversTurns(record.summaryType) && !isExclusion(record),
  );
  const newest = own?.record.newestEntryId;
  let since = 0;
  for (const [index, { entryIds }] of messages.entries()) {
    if (entryIds.some((id) => id === newest || before?.has(id))) since = index + 1;
  }
  return since;
}
