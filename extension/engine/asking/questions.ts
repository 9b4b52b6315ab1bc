import type { LanguageModel } from '../block/language-model';
import type { ContextMessage } from '../conversation/context';
import {
  constraintsProbe,
  goalProbe,
  type OpenAnswer,
  openProbe,
  parseConstraints,
  parseGoal,
  parseOpen,
} from '../prompts/probes';
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

export async function askGoal(
  model: LanguageModel,
  context: readonly ContextMessage[],
  signal: AbortSignal,
  options?: AskingOptions,
): Promise<Answer<string>> {
  const prompt = goalProbe(context, questions.goal.text);
  return readable(await askModel(model, prompt, parseGoal, signal, options), (goal) => goal);
}

export async function askConstraints(
  model: LanguageModel,
  context: readonly ContextMessage[],
  signal: AbortSignal,
  options?: AskingOptions,
): Promise<Answer<readonly string[]>> {
  const prompt = constraintsProbe(context, questions.constraints.text);
  return readable(await askModel(model, prompt, parseConstraints, signal, options), (rules) => rules.join('\n'));
}

export async function askFreely(
  model: LanguageModel,
  context: readonly ContextMessage[],
  question: string,
  signal: AbortSignal,
  options?: AskingOptions,
): Promise<Answer<OpenAnswer>> {
  return readable(await askModel(model, openProbe(context, question), parseOpen, signal, options), ({ text }) => text);
}

/** Replaces the JSON of an answer by its readable content. */
function readable<T>(answer: Answer<T>, textOf: (value: T) => string): Answer<T> {
  return answer.kind === 'given' ? { ...answer, text: textOf(answer.value) } : answer;
}
