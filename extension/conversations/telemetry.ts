import type { Usage } from '../engine/conversation/entry';
import type { AnswerOutcome, IncomingRequest, RecordedRequest } from '../middleware/requests/recording';
import { type ContextEvent, type EventConversation, eventConversation } from './events';

/** A request that is about to be sent to its model. */
export interface SentRequest {
  /** Null if it could not be recorded. */
  readonly conversation: EventConversation | null;
  readonly model: string;
  /** Tokens of the context that is sent. */
  readonly contextTokens: number;
  /** Number of blocks in it. */
  readonly blocks: number;
}

export interface SentAnswer {
  readonly outcome: AnswerOutcome;
  /** Null if the provider reported none. */
  readonly usage: Usage | null;
}

/** Receives requests, answers and events. It must not throw, and no request waits for it. */
export interface Telemetry {
  /** Returns a function to be called at the end of the answer. */
  request(sent: SentRequest): (answer: SentAnswer) => void;
  event(event: ContextEvent): void;
}

/** The same request, whose answer is reported at its end. */
export function observedRequest(
  request: Pick<IncomingRequest, 'model' | 'identity'>,
  recorded: RecordedRequest,
  telemetry: Telemetry,
): RecordedRequest {
  // An answer may take minutes, so nothing here may keep the context in memory.
  const { conversation: id, context, answer, done } = recorded;
  const { model } = request;
  const conversation = id === undefined ? null : eventConversation(id, request);
  const { tokens, blocks } = context;
  const ended = telemetry.request({ conversation, model, contextTokens: tokens.total, blocks });
  let usage: Usage | null = null;
  let outcome: AnswerOutcome = 'failed';
  return {
    ...recorded,
    answer: {
      add(piece) {
        if (piece.type === 'usage') usage = piece.usage;
        answer?.add(piece);
      },
      async end(how) {
        outcome = how;
        await answer?.end(how);
      },
    },
    done: () => {
      ended({ outcome, usage });
      done();
    },
  };
}
