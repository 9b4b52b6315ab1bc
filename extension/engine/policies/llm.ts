import { type Completion, ModelFailed } from '../block/language-model';
import { localizable } from '../wording/localizable-text';
import { deterministicPolicy } from './deterministic';
import { deterministicSummary } from './deterministic-summary';
import { llmPrompt } from './llm-prompt';
import type { CompactionPolicy } from './policy';
import { allButLast } from './tiers';

/** Defaults: docs/specification/policies.md, "Policies". */
const defaults = {
  /** A shorter history is never compacted, not even by hand. */
  min_entries_to_compact: 5,
  /** A history of this length starts a compaction. */
  max_entries_before_compact: 10,
  /** Number of newest entries that stay. */
  preserve_last_n: 2,
  summary_max_tokens: 200,
  /** Whether the model is asked to highlight key findings. */
  include_key_findings: true,
};

export const llmPolicy: CompactionPolicy<typeof defaults> = {
  name: 'llm',
  title: localizable('LLM'),
  description: localizable(
    'Replaces older history by a summary that a model writes; without a model, by counts and key outputs as Deterministic does.',
  ),
  defaults,
  keepingNothing: { min_entries_to_compact: 1, preserve_last_n: 1 },
  shouldCompact: (history, { min_entries_to_compact, max_entries_before_compact }) =>
    history.length >= Math.max(min_entries_to_compact, max_entries_before_compact),
  tiers: (history, { min_entries_to_compact, preserve_last_n }) =>
    allButLast(history, history.length < min_entries_to_compact ? history.length : preserve_last_n),
  async summarize({ entries }, context) {
    const { model, parameters, signal } = context;
    if (!model) return deterministicSummary(entries, deterministicPolicy.defaults);
    const prompt = llmPrompt(entries, parameters, context, deterministicPolicy.defaults);
    return answerOf(await model.complete(prompt, { maxTokens: parameters.summary_max_tokens, signal }), model.model);
  },
};

/** An answer that was cut off is shortened to its last complete sentence. */
function answerOf({ text, isCut }: Completion, model: string): string {
  const answer = text.replace(/^\s*\[SUMMARIZED\]/, '').trim();
  if (answer === '')
    throw new ModelFailed('broken-answer', localizable('{0} gave an empty answer to a request for a summary.', model));
  if (!isCut) return answer;
  const end = [...answer.matchAll(/[.!?。！？](?=\s)/gu)].at(-1);
  return end ? answer.slice(0, end.index + 1) : `${answer}…`;
}
