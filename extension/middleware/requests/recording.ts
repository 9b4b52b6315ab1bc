import type { LanguageModel } from '../../engine/block/language-model';
import type { Context } from '../../engine/conversation/context';
import type { ToolDefinitionsPart } from '../../engine/conversation/entry';
import type { ChatPiece } from '../../models/chat-model';
import type { TurnEndedRecord } from '../../sessions/strata/records';
import type { LateCore } from '../recognition/late-core';
import type { ReceivedConversation } from '../recognition/received-entries';
import type { TooLong } from './too-long';

/** The parts of a request besides its messages. */
export interface Surroundings {
  readonly system: readonly string[];
  readonly tools: ToolDefinitionsPart | null;
  readonly model: string;
  /** In tokens; null if unknown. */
  readonly contextWindow: number | null;
}

/** The conversation and tenant of a request, as far as its sender names them. */
export interface RequestIdentity {
  /** Key of the conversation, unique within its scope. Absent: the conversation is recognized by its beginning. */
  readonly conversation?: string | undefined;
  /** Tenant. Conversations of different scopes never meet. Absent: the scope of all requests without one. */
  readonly scope?: string | undefined;
  /** Tells histories of a conversation with a key apart that went different ways. Absent: it has one. */
  readonly branch?: string | undefined;
}

export interface IncomingRequest extends Surroundings {
  readonly received: ReceivedConversation;
  readonly signal: AbortSignal;
  readonly identity?: RequestIdentity;
  /** Tokens reserved for the answer. Default: 0. */
  readonly replyTokens?: number;
  /** The provider compacts this conversation or edits its context, so Strata does not compact it automatically. */
  readonly isCompactedByProvider?: boolean;
}

export type AnswerOutcome = TurnEndedRecord['outcome'];

/** Stores a model's answer while it streams. */
export interface AnswerRecorder {
  add(piece: ChatPiece): void;
  /** Stores what was received. */
  end(outcome: AnswerOutcome): Promise<void>;
}

/** The request as sent to the model, for logs. */
export interface SentContext {
  readonly model: string;
  readonly tokens: number;
  /** Number of blocks. */
  readonly blocks: number;
  /** Id of the conversation; null if the request belongs to none. */
  readonly conversation: string | null;
}

/** Runs the work that records an answer, at once or later. */
export type RecordAnswer = (record: () => Promise<void>) => Promise<void>;

/** Decides when the answers to requests are recorded. */
export interface AnswerQueue {
  beginAnswer(): RecordAnswer;
}

/** The application's own model. */
export interface OwnModel {
  readonly model: LanguageModel;
  /** A prompt is one more message of the conversation, which its provider has in the cache. Otherwise it is a request of its own. */
  readonly isInConversation: boolean;
}

export interface RecordedRequest {
  /** Id of the conversation that it belongs to. Absent if there is none. */
  readonly conversation?: string;
  /** The context to send to the model. */
  readonly context: Context;
  /** Null if the request could not be stored; then its answer cannot be stored either. */
  readonly answer: AnswerRecorder | null;
  /** A block is due that no other model writes, so `done` is to be given the model of the request. */
  readonly wantsOwnModel?: boolean;
  /** Where the newest items of the core go. Absent: all of it goes first. */
  readonly lateCore?: LateCore;
  /** Much of the context was never reported by its provider, so a report is worth asking for. */
  readonly wantsUsage?: boolean;
  /** The prefix that a reply of the conversation was produced with; undefined if it is unknown. See `withBoundThinking`. */
  readonly prefixOf?: (reply: string) => string | undefined;
  /** Stores the prefix of this request with its answer. */
  readonly sentWith?: (prefix: string) => void;
  /** Why it could not be recorded or made to fit the window. Absent: it was. */
  readonly failure?: string;
  /** The provider refused the request. Keeps what that says of the model’s limit; true if the request can be made shorter. */
  readonly learn?: (tooLong: TooLong) => Promise<boolean>;
  /** The answer is over, however it ended. `own`: the model that answered. */
  readonly done: (own?: OwnModel) => void;
}
