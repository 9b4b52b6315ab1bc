import type { AgentCompaction } from '../../engine/conversation/conversation';
import type { PiMessage } from './messages';

/** A record with its place in the tree that `parentId` spans. In version 1 of the format the tree is the file's order. */
export interface RecordNode {
  /** The record's own id. */
  readonly id: string;
  readonly parent: RecordNode | null;
  readonly content: RecordContent;
  /** The newest compaction above this record. */
  readonly newestCompaction: RecordNode | null;
  /** Of a compaction: worked out once, when it is first asked for. */
  replacedEntryIds: readonly string[] | null;
}

export type RecordContent =
  | { readonly kind: 'message'; readonly message: PiMessage }
  | { readonly kind: 'compaction'; readonly compaction: Compaction }
  | { readonly kind: 'edit'; readonly edit: ContextEdit }
  /** Settings, labels, data of extensions: nothing that is sent. */
  | { readonly kind: 'state' };

export interface Compaction {
  /** The prompt and tools as of the compaction (since 0.87), then the summary. */
  readonly messages: readonly PiMessage[];
  /** The record from which on the older part is kept; the compaction's own id, or one not on the path, keeps none. */
  readonly firstKeptId: string | null;
  /** As it is told to others, but for what it replaced. */
  readonly record: Omit<AgentCompaction, 'replacedEntryIds'>;
}

/** Leaves one earlier message out of the context, or puts other content in its place. */
export interface ContextEdit {
  readonly targetId: string;
  readonly replacement: { readonly kind: 'omit' } | { readonly kind: 'replace'; readonly content: unknown };
}
