import { askModel } from '../../../engine/asking/ask-model';
import { askConstraints, askGoal } from '../../../engine/asking/questions';
import type { LanguageModel } from '../../../engine/block/language-model';
import { actionProbe, parseChoice } from '../../../engine/prompts/probes';
import type { Respondent } from './respondent';

/** A model answers the probes. Each is a separate call that does not change the context. */
export function modelRespondent(model: LanguageModel): Respondent {
  return {
    id: { kind: 'model', name: model.model },
    goal: (context, signal) => askGoal(model, context, signal),
    constraints: (context, signal) => askConstraints(model, context, signal),
    action: async (context, { request, options }, signal) => {
      const prompt = actionProbe(context, request, options);
      const answer = await askModel(model, prompt, (text) => parseChoice(text, options.length), signal);
      return answer.kind === 'unusable' ? answer : { ...answer, value: { kind: 'chosen', ...answer.value } };
    },
  };
}
