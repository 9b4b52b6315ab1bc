import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import {
  type Completion,
  type CompletionOptions,
  type LanguageModel,
  type Prompt,
  sendable,
} from '../../engine/block/language-model';
import { CappedText, estimatedTokens } from '../../models/capped-text';
import type { Patience, PatienceLimits } from '../../models/patience';
import { untilAborted } from '../../models/until-aborted';
import { VscodeCall } from './vscode-call';

const vscodeModelDefaults: PatienceLimits = { timeoutMs: 180_000, idleTimeoutMs: 60_000 };

/** Extra tokens for a model that reasons in its text before it answers. */
const reasoningTokens = 8_192;

/** A language model of VS Code. */
export function vscodeModel(
  chat: vscode.LanguageModelChat,
  limits: PatienceLimits = vscodeModelDefaults,
): LanguageModel {
  return {
    name: 'vscode',
    model: chat.id,
    concurrency: 1,
    async complete(prompt, options) {
      using call = new VscodeCall(chat, limits, options.signal);
      try {
        return await answered(chat, call, sendable(prompt), options);
      } catch (error) {
        throw call.failure(error);
      }
    },
  };
}

async function answered(
  chat: vscode.LanguageModelChat,
  { patience, token }: VscodeCall,
  prompt: Prompt,
  options: CompletionOptions,
): Promise<Completion> {
  // The API has no system role.
  const asked = `${prompt.system}\n\n${prompt.user}`;
  const justification = l10n.t('Strata asks this model to summarize what you compact.');
  const request = chat.sendRequest([vscode.LanguageModelChatMessage.User(asked)], { justification }, token);
  const response = await untilAborted(request, patience.signal);
  const { text, isCut } = await readText(response.text, options, patience);
  const [input, output] = await Promise.all([asked, text].map((each) => tokensOf(chat, each, patience)));
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
