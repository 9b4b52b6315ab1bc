import type { ContextMessage } from '../engine/conversation/context';
import type { ReasoningPart, TextPart, ToolCallPart, Usage } from '../engine/conversation/entry';

/** A tool as a model is told of it. */
export interface ChatTool {
  readonly name: string;
  readonly description: string;
  /** JSON schema of the input; absent where the tool takes none. */
  readonly inputSchema?: object;
}

/** One request of a chat: the context, as it is to be sent. */
export interface ChatOrder {
  readonly messages: readonly ContextMessage[];
  readonly tools: readonly ChatTool[];
  /** Whether the model may call a tool, or must. */
  readonly toolMode: 'auto' | 'required';
  readonly signal: AbortSignal;
}

/** What a model says, as it comes: text and reasoning in pieces, a tool call as a whole, what it cost at the end. */
export type ChatPiece = TextPart | ReasoningPart | ToolCallPart | { readonly type: 'usage'; readonly usage: Usage };

/** A model that answers a chat. Who implements this sees to timeouts; a failed request is not tried again once it answers. */
export interface ChatModel {
  /** As the endpoint calls it. */
  readonly model: string;
  /** For a person. */
  readonly name: string;
  /** Tokens that a request and its answer may have together; null where nobody says. */
  readonly contextWindow: number | null;
  /** Rejects with `ModelFailed`, or with the signal's reason once that is aborted. */
  converse(order: ChatOrder): AsyncIterable<ChatPiece>;
}
