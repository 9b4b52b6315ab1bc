import type { AgentCompaction } from '../../engine/conversation/conversation';
import type { Origin } from '../../engine/conversation/entry';
import { asCount, asName, asRecord, asTexts, type JsonRecord } from '../records/json';
import type { RowNode } from './rows';

/** Stands in the request in place of a tool result that was cleared. */
export const clearedResultText = '[Old tool result content cleared]';

/** Where Claude Code put a summary in place of what was before. The rows after it form a tree of their own. */
export interface Boundary {
  readonly uuid: string;
  readonly timestamp: string | null;
  readonly origin: Origin;
  readonly trigger: AgentCompaction['trigger'];
  readonly tokensBefore: number | null;
  readonly tokensAfter: number | null;
  /** The newest row before the compaction. */
  readonly before: RowNode | null;
  readonly preserved: Preserved;
}

/** Rows from before a compaction that go on being sent. The file does not repeat them. */
export interface Preserved {
  readonly rows: readonly RowNode[];
  /** The row they follow: the summary, or the boundary itself where they come before the summary. */
  readonly anchor: string | null;
  /**
   * Whether exactly these rows are kept. Named one by one, a row that is not named is not sent (seen: a call whose
   * result was left out of the list is dropped); of a segment only the ends are named, so what belongs to its rows
   * comes along.
   */
  readonly exact: boolean;
  /** How many rows the boundary names that are not in the file. */
  readonly missing: number;
}

/** Where Claude Code emptied old tool results without a summary. */
export interface Clearing {
  readonly uuid: string;
  readonly timestamp: string | null;
  readonly origin: Origin;
  readonly trigger: AgentCompaction['trigger'];
  readonly tokensBefore: number | null;
  readonly tokensAfter: number | null;
  readonly before: RowNode | null;
  readonly callIds: ReadonlySet<string>;
}

interface Place {
  readonly uuid: string;
  readonly timestamp: string | null;
  readonly origin: Origin;
  readonly before: RowNode | null;
}

export function boundaryOf(row: JsonRecord, place: Place, find: (uuid: string) => RowNode | undefined): Boundary {
  const metadata = asRecord(row.compactMetadata) ?? {};
  return {
    ...place,
    trigger: triggerOf(metadata.trigger),
    tokensBefore: asCount(metadata.preTokens),
    tokensAfter: asCount(metadata.postTokens),
    preserved: preservedOf(metadata, find),
  };
}

export function clearingOf(row: JsonRecord, place: Place): Clearing {
  const metadata = asRecord(row.microcompactMetadata) ?? {};
  const before = asCount(metadata.preTokens);
  const saved = asCount(metadata.tokensSaved);
  return {
    ...place,
    trigger: triggerOf(metadata.trigger),
    tokensBefore: before,
    tokensAfter: before !== null && saved !== null && saved <= before ? before - saved : null,
    callIds: new Set(asTexts(metadata.compactedToolIds)),
  };
}

function triggerOf(value: unknown): AgentCompaction['trigger'] {
  if (value === 'auto') return 'automatic';
  return value === 'manual' ? 'manual' : null;
}

function preservedOf(metadata: JsonRecord, find: (uuid: string) => RowNode | undefined): Preserved {
  const messages = asRecord(metadata.preservedMessages);
  if (messages !== null) {
    const uuids = asTexts(messages.uuids);
    const rows = uuids.map(find).filter((row) => row !== undefined);
    return { rows, anchor: asName(messages.anchorUuid), exact: true, missing: uuids.length - rows.length };
  }
  const segment = asRecord(metadata.preservedSegment);
  if (segment === null) return { rows: [], anchor: null, exact: true, missing: 0 };
  const rows = segmentOf(find(asName(segment.tailUuid) ?? ''), asName(segment.headUuid));
  return { rows, anchor: asName(segment.anchorUuid), exact: false, missing: rows.length === 0 ? 1 : 0 };
}

/** The rows from head to tail; none where the tail does not descend from the head. */
function segmentOf(tail: RowNode | undefined, headUuid: string | null): RowNode[] {
  const rows: RowNode[] = [];
  for (let row: RowNode | null = tail ?? null; row !== null; row = row.parent) {
    rows.push(row);
    if (row.uuid === headUuid) return rows.reverse();
  }
  return [];
}
