import type { WritingTools } from '../../engine/block/strategy';
import { modelJudge } from '../../evaluation/measure/probes/judge';
import { modelRespondent } from '../../evaluation/measure/probes/model-respondent';
import { reader } from '../../evaluation/measure/probes/reader';
import type { Players } from '../../evaluation/play-here';
import type { TokenBudget } from '../../evaluation/token-budget';
import { CommandFailed } from '../command-failed';
import { modelHint, writingToolsFrom } from '../models';
import type { EvaluateOptions } from './options';

/** Throws `CommandFailed` for options that contradict each other. */
export function playersFrom(options: EvaluateOptions, budget: TokenBudget | null): Players {
  const writing = writingToolsFrom(options, (model) => budget?.metered(model) ?? model);
  const { model } = writing;
  if (model === null && (options.respondent === 'model' || options.judge)) {
    throw new CommandFailed(`--respondent model and --judge need a model: ${modelHint}`, true);
  }
  if (model === null && budget !== null) {
    throw new CommandFailed(`--budget-tokens limits a model, and none is chosen: ${modelHint}`, true);
  }
  if (budget !== null && (options.jobs ?? 1) > 1) {
    throw new CommandFailed('--budget-tokens plays one unit at a time, so --jobs cannot be more than 1', true);
  }
  if (options.judge && options.respondent !== 'model') {
    throw new CommandFailed('--judge rates what a model proposes: it needs --respondent model', true);
  }
  return playersOf(writing, { respondent: options.respondent, judges: options.judge ?? false });
}

/** Without a model, the reader answers and there is no judge. */
export function playersOf(
  writing: WritingTools,
  { respondent, judges }: { readonly respondent: EvaluateOptions['respondent']; readonly judges: boolean },
): Players {
  const { model } = writing;
  return {
    writing,
    respondent: model !== null && respondent === 'model' ? modelRespondent(model) : reader,
    judge: model !== null && judges ? modelJudge(model) : null,
  };
}
