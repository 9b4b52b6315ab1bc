import type * as vscode from 'vscode';
import type { Context } from '../../engine/conversation/context';
import type { Projected } from '../../middleware/recognition/outgoing';
import type { ChatPiece } from '../../models/chat-model';

/** A request on its way to the model that answers it. */
export interface TargetOrder {
  readonly received: readonly vscode.LanguageModelChatRequestMessage[];
  readonly outgoing: readonly Projected[];
  readonly context: Context;
  readonly options: vscode.ProvideLanguageModelChatResponseOptions;
  readonly signal: AbortSignal;
  readonly token: vscode.CancellationToken;
  /** Passes each part to the caller. */
  readonly report: (part: vscode.LanguageModelResponsePart) => void;
  /** Receives the answer, to record it in the conversation. */
  readonly heard: (piece: ChatPiece) => void;
}

export type Counted = string | vscode.LanguageModelChatRequestMessage;

/** The model that answers for a model that Strata offers. */
export interface Target {
  readonly model: string;
  /** In tokens; null if unknown. */
  readonly contextWindow: number | null;
  /** Called before anything is sent or stored; rejects if the person does not consent. */
  readonly admit: () => Promise<void>;
  readonly answer: (order: TargetOrder) => Promise<void>;
  readonly countTokens: (content: Counted, token: vscode.CancellationToken) => Promise<number>;
}
