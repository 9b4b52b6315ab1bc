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
  /** The answer has ended normally, but in the middle of its text: the model may say no more at once. */
  readonly onCut?: () => void;
}

/**
 * What a model says, as it comes: text and reasoning in pieces, then its tool calls, each as a whole and only where all of
 * the answer came, and what it cost at the end, where that is reported. The id of each call is new to the messages.
 */
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
