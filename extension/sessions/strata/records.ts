import type { Entry, ReasoningPart, TextPart } from '../../engine/conversation/entry';

/** Increased when older versions could misread a conversation. */
export const conversationVersion = 1;

/** An entry as it is written; the reader adds its position in the file. */
export type WrittenEntry = Omit<Entry, 'origin'>;

/** The first line: whose conversation this is. */
export interface HeaderRecord {
  readonly type: 'strata-conversation';
  readonly version: number;
  readonly id: string;
  readonly time: string;
  readonly cwd: string | null;
  /** Strata's own chat participant, a chat of another extension through Strata's models, an agent by the library, or through the gateway. */
  readonly madeBy: ConversationMaker;
  /** The id of the first entry, if requests are recognised by their prefix. */
  readonly begins?: string;
  /** The key that its agent gave it. */
  readonly key?: string;
  /** The tenant that it belongs to. */
  readonly scope?: string;
}

export type ConversationMaker = 'chat' | 'model-provider' | 'library' | 'gateway';

/**
 * One message, which follows its parent in the tree; null at the root. An edited message is a sibling of the original.
 */
export interface EntryRecord {
  readonly type: 'entry';
  readonly parent: string | null;
  readonly entry: WrittenEntry;
  /** Id of its pieces, if it differs. */
  readonly pieces?: string;
}

/**
 * More of a reply that is being written. The whole reply follows as an entry with this id. If it never does, because the editor was closed,
 * the pieces are the reply.
 */
export interface PieceRecord {
  readonly type: 'piece';
  readonly parent: string | null;
  readonly id: string;
  readonly time: string;
  readonly part: TextPart | ReasoningPart;
}

/** The system prompt and the tools that are sent from here on. Not part of the tree. */
export interface SystemRecord {
  readonly type: 'system';
  readonly entry: WrittenEntry;
}

/** The conversation continues after this entry, because the person went back to it. Null: from the beginning. */
export interface LeafRecord {
  readonly type: 'leaf';
  readonly id: string | null;
}

/** The turn is over, whether or not its last message is a reply. */
export interface TurnEndedRecord {
  readonly type: 'turn-ended';
  readonly time: string;
  readonly outcome: 'answered' | 'cancelled' | 'failed';
}

/** Names the model that answers from now on. */
interface ModelRecord {
  readonly type: 'model';
  readonly model: string;
  /** In tokens; null if unknown. */
  readonly contextWindow: number | null;
}

/** The limit of a model, known because its provider refused a longer request of this conversation. */
interface LimitRecord {
  readonly type: 'limit';
  readonly model: string;
  /** In tokens as Strata counted those of the refused request. */
  readonly contextWindow: number;
}

export type ConversationRecord =
  | HeaderRecord
  | EntryRecord
  | PieceRecord
  | SystemRecord
  | LeafRecord
  | TurnEndedRecord
  | ModelRecord
  | LimitRecord;

/** How a conversation begins, as its first line tells. */
export interface Beginning {
  readonly id: string;
  /** The id of its first entry. */
  readonly begins: string;
  /** ISO 8601. */
  readonly created: string;
  /** The key that its agent gave it. Absent: it is recognized by its beginning. */
  readonly key?: string | undefined;
  /** The tenant that it belongs to. Absent: none. */
  readonly scope?: string | undefined;
}
