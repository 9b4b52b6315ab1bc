import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Remainder } from '../../middleware/recognition/authorship';
import type { Projected, ResultFate } from '../../middleware/recognition/outgoing';
import type { ChatPiece } from '../../models/chat-model';
import { contextAsVscode } from '../models/vscode-messages';
import { isImage, reasoningOf, systemRole, userRole } from './received-messages';
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

type Received = vscode.LanguageModelChatRequestMessage;
type Sent = vscode.LanguageModelChatMessage;

/** Messages for another model of VS Code: received ones unchanged, and Strata's blocks between them. */
export function sentMessages(outgoing: readonly Projected[], received: readonly Received[]): Sent[] {
  return outgoing.flatMap((piece) => {
    if (piece.kind === 'made') return contextAsVscode([piece.message]);
    const message = received[piece.index];
    if (message === undefined) return [];
    return [piece.kind === 'original' ? asSent(message) : asSent(altered(message, piece))];
  });
}

/** Only some extensions may send a system prompt, and Strata may not. */
function asSent(message: Received): Sent {
  const isSystem: boolean = Number(message.role) === systemRole;
  return (isSystem ? { role: userRole, content: message.content, name: message.name } : message) as Sent;
}

function altered(
  message: Received,
  { results, keepsRest, remaining }: Extract<Projected, { kind: 'altered' }>,
): Received {
  const content = message.content.flatMap((part) => {
    if (!(part instanceof vscode.LanguageModelToolResultPart)) {
      return keepsRest ? [part] : remainingParts(part, remaining);
    }
    const fate = results.get(part.callId);
    return fate ? fated(part, fate) : [part];
  });
  return { role: message.role, content, name: message.name };
}

function remainingParts(part: Received['content'][number], remaining: Remainder | undefined) {
  if (remaining === undefined) return [];
  if (!(part instanceof vscode.LanguageModelTextPart)) return remaining.others ? [part] : [];
  const text = remaining.textIn(part.value);
  return text === '' ? [] : [new vscode.LanguageModelTextPart(text)];
}

/** A pruned result keeps its pictures and its outcome, and loses only its text. */
function fated(part: vscode.LanguageModelToolResultPart, fate: ResultFate): vscode.LanguageModelToolResultPart[] {
  if (fate.kind === 'replaced') return [];
  const content = [new vscode.LanguageModelTextPart(fate.text), ...part.content.filter(isImage)];
  return [Object.assign(Object.create(Object.getPrototypeOf(part)), part, { content })];
}
