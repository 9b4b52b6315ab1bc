import type { LossReport } from '../engine/block/loss';
import { ContextText, lossOf } from '../engine/compaction/loss';
import { type AgentCompaction, type Conversation, idsWritten } from '../engine/conversation/conversation';
import { type Entry, textOf } from '../engine/conversation/entry';
import type { TokenLedger } from '../engine/conversation/tokens';

/** The entries with these ids, in this order; in their original form if the session has it. */
export function entriesOf(ids: readonly string[], { entries, agentContext }: Conversation): Entry[] {
  const wanted = new Set(ids);
  const found = new Map(agentContext.filter((entry) => wanted.has(entry.id)).map((entry) => [entry.id, entry]));
  for (const entry of entries) if (wanted.has(entry.id)) found.set(entry.id, entry);
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** The text of a summary by the agent; empty if it only cleared tool results. For a fork, everything that Strata wrote. */
export function summaryOfAgent(compaction: AgentCompaction, conversation: Conversation): string {
  const written = writtenMessages(compaction, conversation);
  const made = compaction.byStrata === undefined ? written : written.filter(({ core, block }) => core ?? block);
  return made.map(({ parts }) => textOf(parts)).join('\n\n');
}

/** The messages with which the agent's context began after the compaction, as far as they are known. */
export function writtenMessages(compaction: AgentCompaction, conversation: Conversation): Entry[] {
  return entriesOf(idsWritten(compaction), conversation);
}

/** The loss report of a compaction by the agent itself. Null if its summary is encrypted. */
export function lossOfAgent(
  compaction: AgentCompaction,
  conversation: Conversation,
  ledger: TokenLedger,
): LossReport | null {
  if (compaction.isOpaque) return null;
  return lossOf({
    replaced: entriesOf(compaction.replacedEntryIds, conversation),
    entries: conversation.entries,
    context: new ContextText(writtenMessages(compaction, conversation)),
    tokensOf: (entry) => ledger.ofEntry(entry),
  });
}
