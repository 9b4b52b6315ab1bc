import type { LossReport } from '../engine/block/loss';
import { ContextText, lossOf } from '../engine/compaction/loss';
import type { AgentCompaction, Conversation } from '../engine/conversation/conversation';
import { type Entry, textOf } from '../engine/conversation/entry';
import type { TokenLedger } from '../engine/conversation/tokens';

/** The entries with these ids, in this order, in their original form where the session has it. */
export function entriesOf(ids: readonly string[], { entries, agentContext }: Conversation): Entry[] {
  const wanted = new Set(ids);
  const found = new Map(agentContext.filter((entry) => wanted.has(entry.id)).map((entry) => [entry.id, entry]));
  for (const entry of entries) if (wanted.has(entry.id)) found.set(entry.id, entry);
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** The text of a summary by the agent; empty if it only cleared tool results. */
export function summaryOfAgent({ summaryEntryId }: AgentCompaction, conversation: Conversation): string {
  const [summary] = summaryEntryId === null ? [] : entriesOf([summaryEntryId], conversation);
  return summary ? textOf(summary.parts) : '';
}

/** What the summary of a compaction by the agent itself has of what it replaced. Null if its summary is encrypted. */
export function lossOfAgent(
  compaction: AgentCompaction,
  conversation: Conversation,
  ledger: TokenLedger,
): LossReport | null {
  if (compaction.isOpaque) return null;
  const summary = summaryOfAgent(compaction, conversation);
  return lossOf({
    replaced: entriesOf(compaction.replacedEntryIds, conversation),
    entries: conversation.entries,
    context: new ContextText([{ role: 'user', parts: [{ type: 'text', text: summary }] }]),
    tokensOf: (entry) => ledger.ofEntry(entry),
  });
}
