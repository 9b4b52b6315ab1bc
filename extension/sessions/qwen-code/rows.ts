import type { Entry } from '../../engine/conversation/entry';
import type { Compression } from './compression';
import type { GrowingEntry } from './growing-entry';
import type { RowSpeaker } from './row-kinds';
import type { Said } from './said';

/** A row of the file that has a place in the tree which `parentUuid` spans. Rows of one id are one, as the first of them. */
export interface RowNode {
  readonly uuid: string;
  readonly parentUuid: string | null;
  readonly place: EntryPlace;
  readonly speaker: RowSpeaker;
  content: RowContent;
}

/** What a row adds to the conversation. */
export type RowContent =
  | { readonly kind: 'reply'; readonly reply: GrowingEntry }
  | { readonly kind: 'said'; readonly said: Said }
  | { readonly kind: 'compression'; readonly compression: Compression }
  /** Qwen Code answered the command that was recorded as a prompt just before; the model never saw it. */
  | { readonly kind: 'answered-command'; readonly command: string }
  /** State, telemetry, notes for the screen: a link in the chain, nothing that is sent. */
  | { readonly kind: 'state' };

export type EntryPlace = Pick<Entry, 'id' | 'timestamp' | 'origin'>;
