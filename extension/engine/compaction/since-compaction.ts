import { blockForm, type ContextMessage } from '../conversation/context';
import type { Conversation } from '../conversation/conversation';
import type { JournalState } from './journal-state';

/**
 * Index of the first message that came after the newest compaction of whole turns, by the agent or by Strata; 0 where
 * there was none. What such a compaction kept raw is older than it, and lies before the index.
 */
export function sinceCompaction(
  messages: readonly ContextMessage[],
  { agentContext, agentCompactions }: Conversation,
  { compactions }: JournalState,
): number {
  const agents = agentCompactions.findLast(({ kind }) => kind === 'summary');
  const lines = new Map(agentContext.map((entry) => [entry.id, entry.origin.line]));
  const own = compactions.findLast(({ record, active }) => active && coversTurns(record.summaryType))?.record;
  const newest = own?.newestEntryId;
  let since = 0;
  for (const [index, { entryIds }] of messages.entries()) {
    const isBefore =
      entryIds.some((id) => id === newest) ||
      (agents !== undefined && entryIds.some((id) => (lines.get(id) ?? 0) <= agents.origin.line && lines.has(id)));
    if (isBefore) since = index + 1;
  }
  return since;
}

function coversTurns(summaryType: string): boolean {
  return blockForm(summaryType).covers === 'turns';
}
