import type { LanguageModel } from '../../../engine/block/language-model';
import {
  actionProbe,
  constraintsProbe,
  goalProbe,
  parseChoice,
  parseConstraints,
  parseGoal,
} from '../../../engine/prompts/probes';
import { askModel } from './ask-model';
import { type Answer, questions, type Respondent } from './respondent';

/** A model answers the probes. Each is a separate call that does not change the context. */
export function modelRespondent(model: LanguageModel): Respondent {
  return {
    id: { kind: 'model', name: model.model },
    goal: async (context, signal) =>
      said(await askModel(model, goalProbe(context, questions.goal), parseGoal, signal), (goal) => goal),
    constraints: async (context, signal) =>
      said(
        await askModel(model, constraintsProbe(context, questions.constraints), parseConstraints, signal),
        (constraints) => constraints.join('\n'),
      ),
    action: async (context, { request, options }, signal) => {
      const prompt = actionProbe(context, request, options);
      const answer = await askModel(model, prompt, (text) => parseChoice(text, options.length), signal);
      return answer.kind === 'unusable' ? answer : { ...answer, value: { kind: 'chosen', ...answer.value } };
    },
  };
}

/** Replaces the JSON text of an answer by its content, for display. */
function said<T>(answer: Answer<T>, textOf: (value: T) => string): Answer<T> {
  return answer.kind === 'given' ? { ...answer, text: textOf(answer.value) } : answer;
}
