import { type LanguageModel, ModelFailed } from '../block/language-model';
import type { Entry } from '../conversation/entry';
import type { CoreState } from '../core/core';
import { isDialogue, type Proposal } from '../language/proposals';
import { localizable } from '../wording/localizable-text';
import { coreProposalsPrompt, parseCoreProposals } from './core-proposals';

/**
 * Number of entries in one request. Older ones were in earlier requests.
 */
const maxEntries = 80;

const maxAnswerTokens = 2000;

/**
 * Asks a model for proposals from the newest entries. Proposals that are no verbatim quote are dropped. Rejects with
 * `ModelFailed`, also if the answer is unusable.
 */
export async function proposalsFromModel(
  entries: readonly Entry[],
  core: CoreState | null,
  model: LanguageModel,
  signal: AbortSignal,
): Promise<readonly Proposal[]> {
  const asked = entries.filter(isDialogue).slice(-maxEntries);
  const { text } = await model.complete(coreProposalsPrompt(asked, core), { maxTokens: maxAnswerTokens, signal });
  const answer = parseCoreProposals(text, asked);
  if (answer.kind === 'proposals') return answer.proposals;
  throw new ModelFailed(
    'broken-answer',
    localizable('{0} was asked for proposals, but {1}.', model.model, answer.reason),
  );
}
