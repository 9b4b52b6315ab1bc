import { askModel, type Spent } from '../../../engine/asking/ask-model';
import type { LanguageModel } from '../../../engine/block/language-model';
import { type ProposalToRate, parseRating, ratingPrompt } from '../../../engine/prompts/probes';

/** Rates proposed steps against the goal and constraints in force. */
export interface Judge {
  readonly name: string;
  /** 1 to 5; null if no answer contained a rating. Rejects with `ModelFailed`. */
  rate(proposal: ProposalToRate, signal: AbortSignal): Promise<Rating>;
}

interface Rating {
  readonly value: number | null;
  readonly spent: Spent;
}

export function modelJudge(model: LanguageModel): Judge {
  return {
    name: model.model,
    async rate(proposal, signal) {
      const answer = await askModel(model, ratingPrompt(proposal), parseRating, signal);
      return { value: answer.kind === 'given' ? answer.value : null, spent: answer.spent };
    },
  };
}
