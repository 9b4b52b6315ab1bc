import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ChatPiece } from '../../models/chat-model';
import { reasoningOf } from './received-messages';
import { sentMessages } from './sent-messages';
import type { Target, TargetOrder } from './target';

/** Another model of VS Code. Messages, options and the parts of its answer are passed on unchanged. */
export function lmTarget(chat: vscode.LanguageModelChat): Target {
  return {
    model: chat.id,
    contextWindow: chat.maxInputTokens,
    // VS Code itself asks a person before another extension's model is used.
    admit: async () => undefined,
    answer: (order) => answer(chat, order),
    countTokens: async (content, token) =>
      await chat.countTokens(
        typeof content === 'string' ? content : (content as vscode.LanguageModelChatMessage),
        token,
      ),
  };
}

async function answer(
  chat: vscode.LanguageModelChat,
  { received, outgoing, options, token, report, heard }: TargetOrder,
): Promise<void> {
  const messages = sentMessages(outgoing, received);
  const { stream } = await chat.sendRequest(messages, requestOptions(options), token);
  for await (const part of stream) {
    const piece = pieceOf(part);
    if (piece) heard(piece);
    // Parts of kinds that the typings lack are passed on like the others.
    report(part as vscode.LanguageModelResponsePart);
  }
}

function requestOptions({
  tools,
  toolMode,
  modelOptions,
}: vscode.ProvideLanguageModelChatResponseOptions): vscode.LanguageModelChatRequestOptions {
  return {
    justification: l10n.t('Strata forwards what you send to this model, compacted.'),
    toolMode,
    ...(tools ? { tools: [...tools] } : {}),
    ...(modelOptions ? { modelOptions } : {}),
  };
}

function pieceOf(part: unknown): ChatPiece | null {
  if (part instanceof vscode.LanguageModelTextPart) return { type: 'text', text: part.value };
  if (part instanceof vscode.LanguageModelToolCallPart) {
    return { type: 'tool_call', callId: part.callId, name: part.name, input: part.input };
  }
  const reasoning = reasoningOf(part);
  return reasoning === null ? null : { type: 'reasoning', text: reasoning };
}
