import type { Completion, LanguageModel, Prompt } from '../../engine/block/language-model';
import type { Work } from './messages';

/** VS Code's models can be called from the extension host thread only, so an evaluating thread calls them through it. */

export type ModelIdentity = Pick<LanguageModel, 'name' | 'model' | 'concurrency'>;

interface ModelQuestion {
  readonly prompt: Prompt;
  readonly maxTokens: number;
}

/** The model as the evaluating thread sees it. */
export function modelProxy(identity: ModelIdentity, ask: Work['ask']): LanguageModel {
  return {
    ...identity,
    async complete(prompt, { maxTokens, signal }) {
      signal.throwIfAborted();
      return (await ask({ prompt, maxTokens } satisfies ModelQuestion)) as Completion;
    },
  };
}

/** Calls the real model. Rejects with the signal's reason. */
export async function answerModelQuestion(
  model: LanguageModel,
  question: unknown,
  signal: AbortSignal,
): Promise<Completion> {
  const { prompt, maxTokens } = question as ModelQuestion;
  return await model.complete(prompt, { maxTokens, signal });
}
