import { type LanguageModel, ModelFailed } from '../block/language-model';
import type { Entry } from '../conversation/entry';
import type { CoreState } from '../core/core';
import { isDialogue, type Proposal } from '../language/proposals';
import { coreProposalsPrompt, parseCoreProposals } from './core-proposals';

/** What one question holds; what was said before that was asked about before, or is covered by the sentences. */
const entriesAsked = 80;

const longestAnswer = 2000;

/**
 * Has a model propose from the newest entries. Each proposal is a verbatim quote; what the model made up is dropped.
 * Rejects with `ModelFailed`, also when the answer has no use.
 */
export async function proposalsFromModel(
  entries: readonly Entry[],
  core: CoreState | null,
  model: LanguageModel,
  signal: AbortSignal,
): Promise<readonly Proposal[]> {
  const asked = entries.filter(isDialogue).slice(-entriesAsked);
  const { text } = await model.complete(coreProposalsPrompt(asked, core), { maxTokens: longestAnswer, signal });
  const answer = parseCoreProposals(text, asked);
  if (answer.kind === 'proposals') return answer.proposals;
  throw new ModelFailed('broken-answer', `${model.model} was asked for proposals, but ${answer.reason}.`);
}
