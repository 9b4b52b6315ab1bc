import type { AgentCompaction } from '../../../engine/conversation/conversation';
import type { Origin } from '../../../engine/conversation/entry';
import * as s from '../../../platform/json/schemas';
import type { Boundary, Clearing, Preserved, RowNode } from './rows';

/** Claude Code sends this in place of a tool result that was cleared. */
export const clearedResultText = '[Old tool result content cleared]';

interface CompactionPlace {
  readonly uuid: string;
  readonly timestamp: string | null;
  readonly origin: Origin;
  readonly before: RowNode | null;
}

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

export function boundaryOf(
  row: s.JsonRecord,
  place: CompactionPlace,
  find: (uuid: string) => RowNode | undefined,
): Boundary {
  const metadata = s.read(boundaryRow, row).compactMetadata;
  return {
    ...place,
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
  find: (uuid: string) => RowNode | undefined,
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
