import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { ModelFailed } from '../../engine/block/language-model';
import type { ToolCallPart } from '../../engine/conversation/entry';
import { AnswerSize, tooLong } from '../../models/answer-size';
import { CallIds } from '../../models/call-ids';
import type { ChatModel, ChatOrder, ChatPiece } from '../../models/chat-model';
import { Patience } from '../../models/patience';
import { readPatiently } from '../../models/read-patiently';
import { untilAborted } from '../../models/until-aborted';
import { callOf, failureOf } from './vscode-failures';
import { contextAsVscode, type MessageApi } from './vscode-messages';

/** The part of VS Code's API that a chat needs. */
export interface ChatApi
  extends MessageApi,
    Pick<typeof vscode, 'CancellationTokenSource' | 'LanguageModelChatToolMode'> {
  /** In some versions of VS Code only. */
  readonly LanguageModelThinkingPart?: new (
    value: string | string[],
  ) => { readonly value: string | readonly string[] };
}

/** The longest wait for an answer to begin, and then for each further piece, in milliseconds. */
const longestWait = 180_000;

/** A chat with a model that VS Code gives access to. VS Code reports no usage. */
export function vscodeChat(chat: vscode.LanguageModelChat, api: ChatApi, timeoutMs = longestWait): ChatModel {
  return {
    model: chat.id,
    name: chat.name,
    contextWindow: chat.maxInputTokens,
    converse: (order) => conversed(chat, api, order, timeoutMs),
  };
}

async function* conversed(
  chat: vscode.LanguageModelChat,
  api: ChatApi,
  order: ChatOrder,
  timeoutMs: number,
): AsyncGenerator<ChatPiece> {
  const call = callOf(chat);
  const patience = new Patience(call, { timeoutMs, idleTimeoutMs: timeoutMs }, order.signal);
  const cancellation = new api.CancellationTokenSource();
  patience.signal.addEventListener('abort', () => cancellation.cancel());
  try {
    patience.throwIfEnded();
    const request = chat.sendRequest(contextAsVscode(order.messages, api), optionsOf(order, api), cancellation.token);
    const { stream } = await untilAborted(request, patience.signal);
    const answer = new Answer(api, new CallIds(order.messages), call);
    for await (const part of readPatiently(stream, patience)) yield* answer.accept(part);
    yield* answer.calls;
  } catch (error) {
    patience.throwIfEnded();
    throw failureOf(error, call);
  } finally {
    // Also where nobody reads on.
    cancellation.cancel();
    cancellation.dispose();
    patience.dispose();
  }
}

function optionsOf(
  { tools, toolMode }: ChatOrder,
  { LanguageModelChatToolMode: modes }: ChatApi,
): vscode.LanguageModelChatRequestOptions {
  const justification = l10n.t('Strata passes on to this model what you write in its chat.');
  if (tools.length === 0) return { justification };
  return { justification, tools: [...tools], toolMode: toolMode === 'required' ? modes.Required : modes.Auto };
}

/** Makes pieces of what VS Code streams. Parts of a kind that Strata does not know are passed over. */
class Answer {
  readonly #size = new AnswerSize();
  readonly #calls: ToolCallPart[] = [];

  constructor(
    private readonly api: ChatApi,
    private readonly ids: CallIds,
    private readonly call: string,
  ) {}

  /** Known once all of the answer came: a tool is not to be run for an answer that breaks off. */
  get calls(): readonly ToolCallPart[] {
    return this.#calls;
  }

  *accept(part: unknown): Generator<ChatPiece> {
    const { LanguageModelTextPart, LanguageModelToolCallPart, LanguageModelThinkingPart } = this.api;
    if (part instanceof LanguageModelTextPart) yield* this.#said('text', part.value);
    else if (part instanceof LanguageModelToolCallPart) this.#calls.push(this.#called(part));
    else if (LanguageModelThinkingPart && part instanceof LanguageModelThinkingPart) {
      yield* this.#said('reasoning', [part.value].flat().join(''));
    }
  }

  *#said(type: 'text' | 'reasoning', text: string): Generator<ChatPiece> {
    if (this.#size.add(text)) throw new ModelFailed('broken-answer', `${this.call} ${tooLong}`);
    if (text !== '') yield { type, text };
  }

  #called({ callId, name, input }: vscode.LanguageModelToolCallPart): ToolCallPart {
    return { type: 'tool_call', callId: this.ids.claim(callId), name, input };
  }
}
