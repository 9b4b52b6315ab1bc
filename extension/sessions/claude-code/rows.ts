import type { Entry } from '../../engine/conversation/entry';
import type { Boundary, Clearing } from './compactions';
import type { Author } from './person';
import type { Reply } from './reply';

/** A row of the file that has a place in the tree which `parentUuid` spans. */
export interface RowNode {
  readonly uuid: string;
  readonly parent: RowNode | null;
  readonly content: RowContent;
  /** The reply that this row is of, or follows with nothing said in between: results of parallel calls hang from it. */
  readonly reply: Reply | null;
  /** The newest compaction at or above this row. */
  readonly compaction: CompactionRecord | null;
}

/** A compaction as its record tells it, with what is worked out of it once, when it is first asked for. */
export type CompactionRecord = {
  readonly id: string;
  /** The one before it on its branch. */
  readonly older: CompactionRecord | null;
  replacedEntryIds: readonly string[] | null;
} & (
  | { readonly kind: 'summary'; readonly boundary: Boundary; summaryEntryId: string | null }
  | { readonly kind: 'cleared'; readonly clearing: Clearing }
);

/** What a row adds to the conversation. */
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
  | { readonly kind: 'boundary'; readonly boundary: Boundary; readonly record: CompactionRecord }
  | { readonly kind: 'clearing'; readonly clearing: Clearing; readonly record: CompactionRecord }
  /** State, progress, notes for the screen: a link in the chain, nothing that is sent. */
  | { readonly kind: 'state' };

export interface ResultNode {
  readonly callId: string;
  readonly entry: Entry;
  /** The row it stands in. */
  readonly uuid: string;
}

/** The rows from the root to this one. */
export function pathTo(leaf: RowNode | null): RowNode[] {
  const path: RowNode[] = [];
  for (let row = leaf; row !== null; row = row.parent) path.push(row);
  return path.reverse();
}
