import type { AgentCompaction } from '../../../engine/conversation/conversation';
import type { Entry } from '../../../engine/conversation/entry';
import type { Author } from './person';
import type { Reply, ResultNode } from './reply';

/** A row of the file in the tree that the `parentUuid` fields form. */
export interface RowNode {
  readonly uuid: string;
  readonly parent: RowNode | null;
  readonly content: RowContent;
  /** The reply that this row is part of, or follows directly: results of parallel calls are its children. */
  readonly reply: Reply | null;
  /** The newest compaction at or above this row. */
  readonly compaction: Compaction | null;
}

/** The entries that a row adds to the conversation. */
export type RowContent =
  | { readonly kind: 'reply'; readonly reply: Reply }
  | { readonly kind: 'said'; readonly entry: Entry; readonly author: Author }
  | {
      readonly kind: 'results';
      readonly results: readonly ResultNode[];
      readonly said: Entry | null;
      readonly author: Author;
    }
  | { readonly kind: 'attached'; readonly entry: Entry; readonly author: Author }
  | { readonly kind: 'compaction'; readonly compaction: Compaction }
  /** State, progress and screen notes: part of the chain, but not sent. */
  | { readonly kind: 'state' };

export type Compaction = Boundary | Clearing;

interface CompactionRow
  extends Pick<AgentCompaction, 'id' | 'timestamp' | 'origin' | 'trigger' | 'tokensBefore' | 'tokensAfter'> {
  readonly uuid: string;
  /** The newest row before the compaction. */
  readonly before: RowNode | null;
  /** Computed on first use. */
  replacedEntryIds: readonly string[] | null;
}

/** A compaction with a summary. The rows after it form a separate tree. */
export interface Boundary extends CompactionRow {
  readonly kind: 'summary';
  readonly preserved: Preserved;
  summaryEntryId: string | null;
}

/** Rows from before a compaction that are still sent. The file does not repeat them. */
export interface Preserved {
  readonly rows: readonly RowNode[];
  /** The row they follow: the summary, or the boundary itself if they come before the summary. */
  readonly anchor: string | null;
  /**
   * Whether exactly these rows are kept. If the boundary lists single rows, unlisted rows are not sent (observed: a
   * call is dropped if its result is not listed). If it names only the ends of a segment, everything that belongs to
   * the rows is sent.
   */
  readonly exact: boolean;
  /** The number of rows that the boundary names and the file does not contain. */
  readonly missing: number;
}

/** A compaction that only emptied old tool results. */
export interface Clearing extends CompactionRow {
  readonly kind: 'cleared';
  readonly callIds: ReadonlySet<string>;
}

/** The rows from the root to this one. */
export function pathTo(leaf: RowNode | null): RowNode[] {
  const path: RowNode[] = [];
  for (let row = leaf; row !== null; row = row.parent) path.push(row);
  return path.reverse();
}

export function nodeOf(uuid: string, parent: RowNode | null, content: RowContent): RowNode {
  const compaction = content.kind === 'compaction' ? content.compaction : (parent?.compaction ?? null);
  return { uuid, parent, content, reply: replyBefore(parent, content), compaction };
}

function replyBefore(parent: RowNode | null, content: RowContent): RowNode['reply'] {
  if (content.kind === 'reply') return content.reply;
  return content.kind === 'state' || content.kind === 'attached' ? (parent?.reply ?? null) : null;
}
