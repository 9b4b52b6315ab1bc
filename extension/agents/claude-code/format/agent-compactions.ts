import type { AgentCompaction } from '../../../engine/conversation/conversation';
import type { Entry, Part } from '../../../engine/conversation/entry';
import { contextAt } from './context';
import type { CompactionRecord, RowNode } from './rows';

type Find = (uuid: string) => RowNode | undefined;

/** The compactions on the branch of this row, oldest first. Those of abandoned branches are no longer in effect. */
export function compactionsAt(leaf: RowNode | null, find: Find): AgentCompaction[] {
  const found: AgentCompaction[] = [];
  for (let record = leaf?.compaction ?? null; record !== null; record = record.older) {
    found.push(agentCompaction(record, find));
  }
  return found.reverse();
}

function agentCompaction(record: CompactionRecord, find: Find): AgentCompaction {
  const { timestamp, origin, trigger, tokensBefore, tokensAfter } =
    record.kind === 'summary' ? record.boundary : record.clearing;
  record.replacedEntryIds ??= replacedBy(record, find);
  const { id, kind, replacedEntryIds } = record;
  const summaryEntryId = record.kind === 'summary' ? record.summaryEntryId : null;
  return { id, kind, timestamp, summaryEntryId, replacedEntryIds, tokensBefore, tokensAfter, trigger, origin };
}

function replacedBy(record: CompactionRecord, find: Find): string[] {
  if (record.kind === 'cleared') {
    const { before, callIds } = record.clearing;
    const isCleared = (part: Part): boolean => part.type === 'tool_result' && callIds.has(part.callId);
    return idsOf(contextAt(before).entries.filter((entry) => entry.parts.some(isCleared)));
  }
  const { before, uuid } = record.boundary;
  const kept = new Set(idsOf(contextAt(find(uuid) ?? null).entries));
  return idsOf(contextAt(before).entries).filter((id) => !kept.has(id));
}

function idsOf(entries: readonly Entry[]): string[] {
  return entries.map((entry) => entry.id);
}
