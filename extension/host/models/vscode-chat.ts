import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ModelFailed } from '../../engine/block/language-model';
import type { ToolCallPart } from '../../engine/conversation/entry';
import type { LocalizableText } from '../../engine/wording/localizable-text';
import { AnswerSize, tooLong } from '../../models/answer-size';
import { CallIds } from '../../models/call-ids';
import type { ChatModel, ChatOrder, ChatPiece } from '../../models/chat-model';
import { readPatiently } from '../../models/read-patiently';
import { untilAborted } from '../../models/until-aborted';
import { newerParts } from '../language-api';
import { VscodeCall } from './vscode-call';
import { contextAsVscode } from './vscode-messages';

/** Timeout for the beginning of an answer, and for each further piece. */
const maxWaitMs = 180_000;

/** A chat model of VS Code. VS Code reports no usage. */
export function vscodeChat(chat: vscode.LanguageModelChat, timeoutMs = maxWaitMs): ChatModel {
  return {
    model: chat.id,
    name: chat.name,
    contextWindow: chat.maxInputTokens,
    converse: (order) => conversed(chat, order, timeoutMs),
  };
}

async function* conversed(
  chat: vscode.LanguageModelChat,
  order: ChatOrder,
  timeoutMs: number,
): AsyncGenerator<ChatPiece> {
  using call = new VscodeCall(chat, { timeoutMs, idleTimeoutMs: timeoutMs }, order.signal);
  const { patience } = call;
  try {
    patience.throwIfEnded();
    const request = chat.sendRequest(contextAsVscode(order.messages), optionsOf(order), call.token);
    const { stream } = await untilAborted(request, patience.signal);
    const answer = new Answer(new CallIds(order.messages), call.name);
    for await (const part of readPatiently(stream, patience)) yield* answer.accept(part);
    yield* answer.calls;
  } catch (error) {
    throw call.failure(error);
  }
}

function optionsOf({ tools, toolMode }: ChatOrder): vscode.LanguageModelChatRequestOptions {
  const { LanguageModelChatToolMode: modes } = vscode;
  const justification = l10n.t('Strata forwards what you write in its chat to this model.');
  if (tools.length === 0) return { justification };
  return { justification, tools: [...tools], toolMode: toolMode === 'required' ? modes.Required : modes.Auto };
}

/** Converts VS Code's stream to pieces. Ignores unknown kinds of parts. */
class Answer {
  readonly #size = new AnswerSize();
  readonly #calls: ToolCallPart[] = [];

  constructor(
    private readonly ids: CallIds,
    private readonly call: LocalizableText,
  ) {}

  /** Read at the end: a tool must not run for an incomplete answer. */
  get calls(): readonly ToolCallPart[] {
    return this.#calls;
  }

  *accept(part: unknown): Generator<ChatPiece> {
    const { LanguageModelThinkingPart } = newerParts();
    if (part instanceof vscode.LanguageModelTextPart) yield* this.#piece('text', part.value);
    else if (part instanceof vscode.LanguageModelToolCallPart) this.#calls.push(this.#called(part));
    else if (LanguageModelThinkingPart && part instanceof LanguageModelThinkingPart) {
      yield* this.#piece('reasoning', [part.value].flat().join(''));
    }
  }

  *#piece(type: 'text' | 'reasoning', text: string): Generator<ChatPiece> {
    if (this.#size.add(text)) throw new ModelFailed('broken-answer', tooLong(this.call));
    if (text !== '') yield { type, text };
  }

  #called({ callId, name, input }: vscode.LanguageModelToolCallPart): ToolCallPart {
    return { type: 'tool_call', callId: this.ids.claim(callId), name, input };
  }
}
