import type { EntryPlace } from '../../../sessions/records/line-session';
import type { Compression } from './compression';
import type { GrowingEntry } from './growing-entry';
import type { RowSpeaker } from './row';
import type { UserMessage } from './user-message';

/** A row in the tree that the `parentUuid` fields form. Rows with one id share the node of the first. */
export interface RowNode {
  readonly uuid: string;
  readonly parentUuid: string | null;
  readonly place: EntryPlace;
  readonly speaker: RowSpeaker;
  content: RowContent;
}

/** The entries that a row adds to the conversation. */
export type RowContent =
  | { readonly kind: 'reply'; readonly reply: GrowingEntry }
  | { readonly kind: 'user'; readonly message: UserMessage }
  | { readonly kind: 'compression'; readonly compression: Compression }
  /** Qwen Code itself answered the command recorded as the prompt before this row; the model never saw it. */
  | { readonly kind: 'answered-command'; readonly command: string }
  /** State, telemetry, messages for display: part of the chain, never sent. */
  | { readonly kind: 'state' };
