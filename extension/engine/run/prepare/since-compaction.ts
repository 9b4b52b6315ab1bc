import { entriesBefore } from '../../conversation/before-compaction';
import { blockForm, type ContextMessage } from '../../conversation/context';
import type { Conversation } from '../../conversation/conversation';
import { isExclusion } from '../../journal/excluded';
import type { JournalState } from '../../journal/journal-state';
import type { CompactionRecord } from '../../journal/records';

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
  const own = compactions.findLast(({ record, active }) => active && compactsTurns(record))?.record;
  const newest = own?.newestEntryId;
  let since = 0;
  for (const [index, { entryIds }] of messages.entries()) {
    if (entryIds.some((id) => id === newest || before?.has(id))) since = index + 1;
  }
  return since;
}

function compactsTurns(record: CompactionRecord): boolean {
  return blockForm(record.summaryType).covers === 'turns' && !isExclusion(record);
}
