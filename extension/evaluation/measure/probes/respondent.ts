import type { ContextMessage } from '../../../engine/conversation/context';
import type { RespondentId } from '../results';

export interface Spent {
  readonly input: number;
  readonly output: number;
}

export const nothingSpent: Spent = { input: 0, output: 0 };

/** The result of one question. `text` is the answer verbatim. */
export type Answer<T> =
  | { readonly kind: 'given'; readonly value: T; readonly text: string; readonly spent: Spent }
  /** The answer did not have the expected form. */
  | { readonly kind: 'unusable'; readonly reason: string; readonly text: string; readonly spent: Spent };

/** What an agent would do next. */
export type ActionAnswer =
  | { readonly kind: 'chosen'; readonly option: number; readonly how: string }
  /** Sentences found about each option. A reader does not choose. */
  | { readonly kind: 'found'; readonly evidence: readonly (readonly string[])[] };

export interface ActionQuestion {
  readonly request: string;
  readonly options: readonly string[];
}

/** Answers from a context only. Rejects with `ModelFailed` if a model call fails. */
export interface Respondent {
  readonly id: RespondentId;
  /** One sentence; a reader may give several candidates, one per line. */
  goal(context: readonly ContextMessage[], signal: AbortSignal): Promise<Answer<string>>;
  constraints(context: readonly ContextMessage[], signal: AbortSignal): Promise<Answer<readonly string[]>>;
  action(
    context: readonly ContextMessage[],
    question: ActionQuestion,
    signal: AbortSignal,
  ): Promise<Answer<ActionAnswer>>;
}

/** The probe questions of docs/specification.md, "Evaluation". */
export const questions = {
  goal: 'In one sentence, what is your current goal?',
  constraints: 'What constraints are you currently operating under?',
};
