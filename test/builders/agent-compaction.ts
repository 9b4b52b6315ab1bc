import type { AgentCompaction, Conversation } from '../../extension/engine/conversation/conversation';
import { agentSummary, type Said, talk } from './conversation';

/** A conversation that the agent summarised by itself: none of `before` is in its context. */
export function summarised(before: readonly Said[], summary: string, after: readonly Said[]): Conversation {
  const { entries } = talk(before, agentSummary(summary), after);
  return {
    entries,
    agentContext: entries.slice(before.length),
    agentCompactions: [agentCompaction(entries, before.length)],
  };
}

function agentCompaction(entries: Conversation['entries'], place: number): AgentCompaction {
  return {
    id: `c${place}`,
    kind: 'summary',
    timestamp: entries[place]?.timestamp ?? null,
    summaryEntryId: entries[place]?.id ?? null,
    replacedEntryIds: entries.slice(0, place).map(({ id }) => id),
    tokensBefore: null,
    tokensAfter: null,
    trigger: null,
    origin: { file: 'session.jsonl', line: place + 1 },
  };
}
