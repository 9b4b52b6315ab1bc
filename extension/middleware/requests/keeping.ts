import type { Context } from '../../engine/conversation/context';
import type { ToolDefinitionsPart } from '../../engine/conversation/entry';
import type { ChatPiece } from '../../models/chat-model';
import type { TurnEndedRecord } from '../../sessions/strata/records';
import type { ReceivedConversation } from '../recognition/received-entries';

/** What surrounds the messages of a request. */
export interface Surroundings {
  readonly system: readonly string[];
  readonly tools: ToolDefinitionsPart | null;
  readonly model: string;
  /** Tokens; null where nobody says. */
  readonly contextWindow: number | null;
}

export interface IncomingRequest extends Surroundings {
  readonly received: ReceivedConversation;
  readonly signal: AbortSignal;
  /** What must stay free for the answer, in tokens; absent: nothing. */
  readonly replyTokens?: number;
  /** The provider compacts this conversation or edits its context, so Strata does not compact it automatically. */
  readonly isCompactedElsewhere?: boolean;
}

export type AnswerOutcome = TurnEndedRecord['outcome'];

/** Keeps a model's answer while it comes. */
export interface AnswerKeeper {
  add(piece: ChatPiece): void;
  /** Keeps what came. */
  end(outcome: AnswerOutcome): Promise<void>;
}

export interface KeptRequest {
  /** What the model is to be sent. */
  readonly context: Context;
  /** Null where the request could not be kept: then its answer has no place either. */
  readonly answer: AnswerKeeper | null;
  /** The answer is over, however it ended. */
  readonly done: () => void;
}
