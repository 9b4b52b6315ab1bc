import type { Entry } from '../../engine/conversation/entry';
import type { Compression } from './compression';
import type { Reply } from './reply';

/** A row of the file that has a place in the tree which `parentUuid` spans. */
export interface RowNode {
  readonly uuid: string;
  readonly parent: RowNode | null;
  readonly content: RowContent;
}

/** What a row adds to the conversation. */
export type RowContent =
  | { readonly kind: 'reply'; readonly reply: Reply }
  | { readonly kind: 'said'; readonly results: readonly Entry[]; readonly said: readonly Entry[] }
  | { readonly kind: 'compression'; readonly compression: Compression }
  /** Qwen Code answered the command that was recorded as a prompt just before; the model never saw it. */
  | { readonly kind: 'answered-command'; readonly command: string }
  /** State, telemetry, notes for the screen: a link in the chain, nothing that is sent. */
  | { readonly kind: 'state' };

export type EntryPlace = Pick<Entry, 'id' | 'timestamp' | 'origin'>;
