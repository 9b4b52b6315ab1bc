import type { ContextMessage } from '../engine/conversation/context';
import type { ReasoningPart, TextPart, ToolCallPart, Usage } from '../engine/conversation/entry';

/** A tool as described to a model. */
export interface ChatTool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the input; absent if the tool takes none. */
  readonly inputSchema?: object;
}

/** A chat request: the context to send. */
export interface ChatOrder {
  readonly messages: readonly ContextMessage[];
  readonly tools: readonly ChatTool[];
  /** Whether the model may or must call a tool. */
  readonly toolMode: 'auto' | 'required';
  readonly signal: AbortSignal;
  /** The answer ended normally, but within its text, because it reached its maximum length. */
  readonly onCut?: () => void;
}

/**
 * The parts of an answer as they stream: pieces of text and reasoning, then complete tool calls (only if the whole
 * answer arrived), and finally the usage if reported. Call ids are unique among the messages.
 */
export type ChatPiece = TextPart | ReasoningPart | ToolCallPart | { readonly type: 'usage'; readonly usage: Usage };

/** A model for chats. The implementation handles timeouts; it does not retry a request once the answer began. */
export interface ChatModel {
  /** The name that the endpoint uses. */
  readonly model: string;
  /** Shown to a person. */
  readonly name: string;
  /** Maximum tokens of a request and its answer together; null if unknown. */
  readonly contextWindow: number | null;
  /** Rejects with `ModelFailed`, or with the signal's reason on abort. */
  converse(order: ChatOrder): AsyncIterable<ChatPiece>;
}
