import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import {
  type Completion,
  type CompletionOptions,
  type LanguageModel,
  type Prompt,
  sendable,
} from '../../engine/block/language-model';
import { CappedText, estimatedTokens } from '../../models/capped-text';
import { Patience, type PatienceLimits } from '../../models/patience';
import { untilAborted } from '../../models/until-aborted';
import { callOf, failureOf } from './vscode-failures';

/** The part of VS Code's API that calls use. */
export type ChatApi = Pick<typeof vscode, 'LanguageModelChatMessage' | 'CancellationTokenSource'>;

const vscodeModelDefaults: PatienceLimits = { timeoutMs: 180_000, idleTimeoutMs: 60_000 };

/** Extra tokens for a model that reasons in its text before it answers. */
const reasoningTokens = 8_192;

/** A language model of VS Code. */
export function vscodeModel(
  chat: vscode.LanguageModelChat,
  api: ChatApi,
  limits: PatienceLimits = vscodeModelDefaults,
): LanguageModel {
  const call = callOf(chat);
  return {
    name: 'vscode',
    model: chat.id,
    concurrency: 1,
    async complete(prompt, options) {
      const patience = new Patience(call, limits, options.signal);
      const cancellation = new api.CancellationTokenSource();
      patience.signal.addEventListener('abort', () => cancellation.cancel());
      try {
        return await answered(chat, api, { prompt: sendable(prompt), options, patience, token: cancellation.token });
      } catch (error) {
        patience.throwIfEnded();
        throw failureOf(error, call);
      } finally {
        // Also if the answer was cut off at its maximum length.
        cancellation.cancel();
        cancellation.dispose();
        patience.dispose();
      }
    },
  };
}

interface Asking {
  readonly prompt: Prompt;
  readonly options: CompletionOptions;
  readonly patience: Patience;
  readonly token: vscode.CancellationToken;
}

async function answered(
  chat: vscode.LanguageModelChat,
  { LanguageModelChatMessage }: ChatApi,
  { prompt, options, patience, token }: Asking,
): Promise<Completion> {
  // The API has no system role.
  const asked = `${prompt.system}\n\n${prompt.user}`;
  const justification = l10n.t('Strata asks this model to summarize what you compact.');
  const request = chat.sendRequest([LanguageModelChatMessage.User(asked)], { justification }, token);
  const response = await untilAborted(request, patience.signal);
  const { text, isCut } = await readText(response.text, options, patience);
  const [input, output] = await Promise.all([asked, text].map((said) => tokensOf(chat, said, patience)));
  return { text, isCut, tokens: { input: input ?? 0, output: output ?? 0 } };
}

async function readText(
  pieces: AsyncIterable<string>,
  { maxTokens, onText }: CompletionOptions,
  patience: Patience,
): Promise<Pick<Completion, 'text' | 'isCut'>> {
  const answer = new CappedText({ maxTokens, reasoningTokens, countTokens: estimatedTokens });
  const iterator = pieces[Symbol.asyncIterator]();
  for (;;) {
    const next = await untilAborted(iterator.next(), patience.signal);
    if (next.done) return { text: answer.text, isCut: false };
    patience.heard();
    if (answer.add(next.value)) return { text: answer.text, isCut: true };
    onText?.(answer.text);
  }
}

/** VS Code reports no usage, so tokens are counted, or estimated if the model cannot count. */
async function tokensOf(chat: vscode.LanguageModelChat, text: string, { signal }: Patience): Promise<number> {
  const counted = untilAborted(chat.countTokens(text), signal).catch(() => estimatedTokens(text));
  return await counted;
}
