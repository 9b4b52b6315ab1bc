import type { ToolDefinitionsPart } from '../../engine/conversation/entry';
import type { LongWork } from '../../engine/conversation/long-work';
import type { ChatPiece } from '../../models/chat-model';
import type { Outgoing } from '../recognition/outgoing';
import type { ReceivedMessage } from '../recognition/received';

/** The parts of a request that Strata reads. The rest of the body is forwarded unchanged. */
export interface WireRequest {
  readonly model: string;
  /** System prompts outside the messages. */
  readonly system: readonly string[];
  readonly tools: ToolDefinitionsPart | null;
  /** One per group of messages, in order. */
  readonly said: readonly ReceivedMessage[];
  /** Names of the fields that make the provider compact or edit the context itself. */
  readonly providerSide: readonly string[];
  /** The body with blocks. Unchanged parts keep their exact text. Indexes in `outgoing` refer to `said`. */
  rewritten(outgoing: readonly Outgoing[]): string;
}

export type WireReading =
  | { readonly kind: 'request'; readonly request: WireRequest }
  /** To forward unchanged: not JSON, an unknown shape, or a history that only the provider has. */
  | { readonly kind: 'unread'; readonly reason: string };

/** Reads an answer while it streams through. */
export interface AnswerReader {
  /** New pieces in this text: text and reasoning at once, calls and usage when complete. Never throws. */
  read(text: string): readonly ChatPiece[];
  /** Call at the end of the body. */
  end(): { readonly pieces: readonly ChatPiece[]; readonly isWhole: boolean };
}

/** Why Strata answers a request with an error. */
export type RefusalReason = 'not-allowed' | 'too-large' | 'unreachable' | 'failed';

/** The HTTP protocol of one provider API. */
export interface WireProtocol {
  readonly name: 'openai-chat' | 'openai-responses' | 'anthropic-messages';
  /** Whether a POST to this path (without query) asks for a reply. Strata ignores other paths of the API. */
  matches(path: string): boolean;
  /** Long work, because a body may have megabytes. */
  read(body: string): LongWork<WireReading>;
  /** A reader for this media type; null for other types, such as an error page. */
  answerReader(contentType: string): AnswerReader | null;
  /** An error body in the provider's format. */
  error(reason: RefusalReason, message: string): object;
}
