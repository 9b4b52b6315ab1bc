import type { AgentCompaction } from '../../../engine/conversation/conversation';
import type { Entry, Part } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import { contextAt } from './context';
import type { Boundary, Clearing, Compaction, Preserved, RowNode } from './rows';

type Find = (uuid: string) => RowNode | undefined;
type CompactionPlace = Pick<Compaction, 'uuid' | 'id' | 'timestamp' | 'origin' | 'before'>;

const boundaryRow = s.record({
  compactMetadata: s.record({
    trigger: s.name,
    preTokens: s.count,
    postTokens: s.count,
    preservedMessages: s.optionalRecord({ uuids: s.texts, anchorUuid: s.name }),
    preservedSegment: s.optionalRecord({ headUuid: s.name, tailUuid: s.text, anchorUuid: s.name }),
  }),
});
type BoundaryMetadata = s.Read<typeof boundaryRow>['compactMetadata'];

export function boundaryOf(row: s.JsonRecord, place: CompactionPlace, find: Find): Boundary {
  const metadata = s.read(boundaryRow, row).compactMetadata;
  return {
    ...place,
    kind: 'summary',
    summaryEntryId: null,
    replacedEntryIds: null,
    trigger: triggerOf(metadata.trigger),
    tokensBefore: metadata.preTokens,
    tokensAfter: metadata.postTokens,
    preserved: preservedOf(metadata, find),
  };
}

const clearingRow = s.record({
  microcompactMetadata: s.record({
    trigger: s.name,
    preTokens: s.count,
    tokensSaved: s.count,
    compactedToolIds: s.texts,
  }),
});

export function clearingOf(row: s.JsonRecord, place: CompactionPlace): Clearing {
  const {
    trigger,
    preTokens: before,
    tokensSaved: saved,
    compactedToolIds,
  } = s.read(clearingRow, row).microcompactMetadata;
  return {
    ...place,
    kind: 'cleared',
    replacedEntryIds: null,
    trigger: triggerOf(trigger),
    tokensBefore: before,
    tokensAfter: before !== null && saved !== null && saved <= before ? before - saved : null,
    callIds: new Set(compactedToolIds),
  };
}

function triggerOf(trigger: string | null): AgentCompaction['trigger'] {
  if (trigger === 'auto') return 'automatic';
  return trigger === 'manual' ? 'manual' : null;
}

function preservedOf(
  { preservedMessages: messages, preservedSegment: segment }: BoundaryMetadata,
  find: Find,
): Preserved {
  if (messages !== null) {
    const rows = messages.uuids.map(find).filter((row) => row !== undefined);
    return { rows, anchor: messages.anchorUuid, exact: true, missing: messages.uuids.length - rows.length };
  }
  if (segment === null) return { rows: [], anchor: null, exact: true, missing: 0 };
  const rows = segmentOf(find(segment.tailUuid), segment.headUuid);
  return { rows, anchor: segment.anchorUuid, exact: false, missing: rows.length === 0 ? 1 : 0 };
}

/** The rows from head to tail; empty if the tail does not descend from the head. */
function segmentOf(tail: RowNode | undefined, headUuid: string | null): RowNode[] {
  const rows: RowNode[] = [];
  for (let row: RowNode | null = tail ?? null; row !== null; row = row.parent) {
    rows.push(row);
    if (row.uuid === headUuid) return rows.reverse();
  }
  return [];
}

/** The compactions on the branch of this row, oldest first. Those of abandoned branches are no longer in effect. */
export function compactionsAt(leaf: RowNode | null, find: Find): AgentCompaction[] {
  const found: AgentCompaction[] = [];
  let compaction = leaf?.compaction ?? null;
  for (; compaction !== null; compaction = compaction.before?.compaction ?? null) {
    found.push(agentCompaction(compaction, find));
  }
  return found.reverse();
}

function agentCompaction(compaction: Compaction, find: Find): AgentCompaction {
  compaction.replacedEntryIds ??= replacedBy(compaction, find);
  const { id, kind, timestamp, replacedEntryIds, tokensBefore, tokensAfter, trigger, origin } = compaction;
  const summaryEntryId = compaction.kind === 'summary' ? compaction.summaryEntryId : null;
  return { id, kind, timestamp, summaryEntryId, replacedEntryIds, tokensBefore, tokensAfter, trigger, origin };
}

function replacedBy(compaction: Compaction, find: Find): string[] {
  const { entries } = contextAt(compaction.before);
  if (compaction.kind === 'cleared') {
    const isCleared = (part: Part): boolean => part.type === 'tool_result' && compaction.callIds.has(part.callId);
    return idsOf(entries.filter((entry) => entry.parts.some(isCleared)));
  }
  const kept = new Set(idsOf(contextAt(find(compaction.uuid) ?? null).entries));
  return idsOf(entries).filter((id) => !kept.has(id));
}

function idsOf(entries: readonly Entry[]): string[] {
  return entries.map((entry) => entry.id);
}
