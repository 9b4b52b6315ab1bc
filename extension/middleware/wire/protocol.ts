import type { ToolDefinitionsPart } from '../../engine/conversation/entry';
import type { ChatPiece } from '../../models/chat-model';
import type { Outgoing } from '../recognition/outgoing';
import type { ReceivedMessage } from '../recognition/received';

/** A request for a reply, as far as Strata needs it. Everything else of its body passes as it is. */
export interface WireRequest {
  readonly model: string;
  /** System prompts that stand outside the messages. */
  readonly system: readonly string[];
  readonly tools: ToolDefinitionsPart | null;
  /** One for each group of messages, in order. */
  readonly said: readonly ReceivedMessage[];
  /** The fields by which the request has its provider compact or edit the context by itself. */
  readonly providerSide: readonly string[];
  /** The body with blocks in it. All that was not changed has the very characters that came in. `outgoing` counts `said`. */
  rewritten(outgoing: readonly Outgoing[]): string;
}

export type WireReading =
  | { readonly kind: 'request'; readonly request: WireRequest }
  /** It passes as it is: no JSON, another shape, or a history that only the provider has. */
  | { readonly kind: 'unread'; readonly reason: string };

/** Reads an answer while it passes. */
export interface AnswerReader {
  /** What has come with these characters: text and reasoning at once, calls and usage when they are whole. Never throws. */
  read(text: string): readonly ChatPiece[];
  /** At the end of the body. */
  end(): { readonly pieces: readonly ChatPiece[]; readonly isWhole: boolean };
}

/** Why a request gets an error of Strata's own instead of an answer. */
export type RefusalReason = 'not-allowed' | 'too-large' | 'unreachable' | 'failed';

/** How one provider is spoken to over HTTP. */
export interface WireProtocol {
  readonly name: 'openai-chat' | 'openai-responses' | 'anthropic-messages';
  /** Whether a POST to this path (without a query) asks for a reply. Other paths of the same API are not Strata's business. */
  matches(path: string): boolean;
  read(body: string): WireReading;
  /** For an answer of this media type; null for one that is none (an error page, say). */
  answerReader(contentType: string): AnswerReader | null;
  /** The body of an error as this provider writes one. */
  error(reason: RefusalReason, message: string): object;
}
