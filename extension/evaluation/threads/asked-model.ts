import {
  type Completion,
  type LanguageModel,
  ModelFailed,
  type ModelFailure,
  type Prompt,
} from '../../engine/block/language-model';
import type { Work } from './working-thread';

/** A model of VS Code can be asked in the thread of the extensions only, so a thread that plays has it asked there. */

export type ModelIdentity = Pick<LanguageModel, 'name' | 'model' | 'concurrency'>;

export interface ModelQuestion {
  readonly prompt: Prompt;
  readonly maxTokens: number;
}

export type ModelAnswer =
  | { readonly kind: 'completed'; readonly completion: Completion }
  | { readonly kind: 'failed'; readonly failure: ModelFailure; readonly message: string };

/** The model as the thread has it. */
export function askedModel({ name, model, concurrency }: ModelIdentity, ask: Work['ask']): LanguageModel {
  return {
    name,
    model,
    concurrency,
    async complete(prompt, { maxTokens, signal }) {
      signal.throwIfAborted();
      const answer = (await ask({ prompt, maxTokens } satisfies ModelQuestion)) as ModelAnswer;
      if (answer.kind === 'failed') throw new ModelFailed(answer.failure, answer.message);
      return answer.completion;
    },
  };
}

/** Asks the model itself. Rejects with the signal's reason. */
export async function answerOf(model: LanguageModel, question: unknown, signal: AbortSignal): Promise<ModelAnswer> {
  const { prompt, maxTokens } = question as ModelQuestion;
  try {
    return { kind: 'completed', completion: await model.complete(prompt, { maxTokens, signal }) };
  } catch (error) {
    if (error instanceof ModelFailed) return { kind: 'failed', failure: error.kind, message: error.message };
    throw error;
  }
}
