import type { LanguageModel } from '../block/language-model';
import type { ContextMessage } from '../conversation/context';
import { constraintsProbe, goalProbe, openProbe, parseConstraints, parseGoal, parseOpen } from '../prompts/probes';
import { type Answer, type AskingOptions, askModel } from './ask-model';

/** A question to a model that answers as the agent, with nothing but a context. */
export interface Question {
  readonly kind: 'goal' | 'constraints' | 'next-step' | 'own';
  readonly text: string;
}

/**
 * The probe questions of docs/specification.md, "Evaluation". Evaluation tasks offer options for the next step; a
 * session has none, so the model describes it.
 */
export const questions = {
  goal: { kind: 'goal', text: 'In one sentence, what is your current goal?' },
  constraints: { kind: 'constraints', text: 'What constraints are you currently operating under?' },
  nextStep: { kind: 'next-step', text: 'What will you do next, and with which files and commands?' },
} as const satisfies Record<string, Question>;

/** Asks one question. The `text` of the answer is its readable content instead of JSON. */
export async function askQuestion(
  model: LanguageModel,
  context: readonly ContextMessage[],
  { kind, text }: Question,
  signal: AbortSignal,
  options?: AskingOptions,
): Promise<Answer<unknown>> {
  if (kind === 'goal') {
    return readable(await askModel(model, goalProbe(context, text), parseGoal, signal, options), (goal) => goal);
  }
  if (kind === 'constraints') {
    const answer = await askModel(model, constraintsProbe(context, text), parseConstraints, signal, options);
    return readable(answer, (rules) => rules.join('\n'));
  }
  return readable(await askModel(model, openProbe(context, text), parseOpen, signal, options), (open) => open.text);
}

/** Replaces the JSON of an answer by its readable content. */
function readable<T>(answer: Answer<T>, textOf: (value: T) => string): Answer<T> {
  return answer.kind === 'given' ? { ...answer, text: textOf(answer.value) } : answer;
}
