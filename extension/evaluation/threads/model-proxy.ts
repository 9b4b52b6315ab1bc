import {
  type Completion,
  type LanguageModel,
  ModelFailed,
  type ModelFailure,
  type Prompt,
} from '../../engine/block/language-model';
import { type PortableText, portableText, rebuiltText } from '../../engine/wording/localizable-text';
import type { Work } from './working-thread';

/** VS Code's models can be called from the extension host thread only, so an evaluating thread calls them through it. */

export type ModelIdentity = Pick<LanguageModel, 'name' | 'model' | 'concurrency'>;

export interface ModelQuestion {
  readonly prompt: Prompt;
  readonly maxTokens: number;
}

export type ModelAnswer =
  | { readonly kind: 'completed'; readonly completion: Completion }
  | { readonly kind: 'failed'; readonly failure: ModelFailure; readonly wording: PortableText };

/** The model as the evaluating thread sees it. */
export function modelProxy({ name, model, concurrency }: ModelIdentity, ask: Work['ask']): LanguageModel {
  return {
    name,
    model,
    concurrency,
    async complete(prompt, { maxTokens, signal }) {
      signal.throwIfAborted();
      const answer = (await ask({ prompt, maxTokens } satisfies ModelQuestion)) as ModelAnswer;
      if (answer.kind === 'failed') throw new ModelFailed(answer.failure, rebuiltText(answer.wording));
      return answer.completion;
    },
  };
}

/** Calls the real model. Rejects with the signal's reason. */
export async function answerModelQuestion(
  model: LanguageModel,
  question: unknown,
  signal: AbortSignal,
): Promise<ModelAnswer> {
  const { prompt, maxTokens } = question as ModelQuestion;
  try {
    return { kind: 'completed', completion: await model.complete(prompt, { maxTokens, signal }) };
  } catch (error) {
    if (error instanceof ModelFailed)
      return { kind: 'failed', failure: error.kind, wording: portableText(error.wording) };
    throw error;
  }
}
