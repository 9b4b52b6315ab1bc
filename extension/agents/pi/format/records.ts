import type { AgentCompaction } from '../../../engine/conversation/conversation';
import type { PiMessage } from './messages';

/** A record in the tree that the `parentId` fields form. In version 1 of the format the tree is the order of the file. */
export interface RecordNode {
  /** The record's own id. */
  readonly id: string;
  readonly parent: RecordNode | null;
  readonly content: RecordContent;
  /** The newest compaction above this record. */
  readonly newestCompaction: RecordNode | null;
  /** Only for a compaction; computed on first use. */
  replacedEntryIds: readonly string[] | null;
}

export type RecordContent =
  | { readonly kind: 'message'; readonly message: PiMessage }
  | { readonly kind: 'compaction'; readonly compaction: Compaction }
  | { readonly kind: 'edit'; readonly edit: ContextEdit }
  /** Settings, labels, data of extensions: nothing that is sent. */
  | { readonly kind: 'state' };

export interface Compaction {
  /** The prompt and tools at the time of the compaction (since 0.87), then the summary. */
  readonly messages: readonly PiMessage[];
  /** The first kept record of the older part. The compaction's own id, or one that is not on the path, keeps none. */
  readonly firstKeptId: string | null;
  /**
   * Number of earlier messages that stay, if no first record is named. A turn is kept as a whole, and the kept part
   * never reaches back across an earlier compaction. Null if the record does not say.
   */
  readonly keptMessages: number | null;
  readonly record: Omit<AgentCompaction, 'replacedEntryIds'>;
}

/** Removes one earlier message from the context, or replaces its content. */
export interface ContextEdit {
  readonly targetId: string;
  readonly replacement: { readonly kind: 'omit' } | { readonly kind: 'replace'; readonly content: unknown };
}
