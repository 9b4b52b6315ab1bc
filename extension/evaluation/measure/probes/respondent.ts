import type { ContextMessage } from '../../../engine/conversation/context';
import type { RespondentId } from '../results';

export interface Spent {
  readonly input: number;
  readonly output: number;
}

export const nothingSpent: Spent = { input: 0, output: 0 };

/** What came of one question. The text is the answer as it was given. */
export type Answer<T> =
  | { readonly kind: 'given'; readonly value: T; readonly text: string; readonly spent: Spent }
  /** Something else than what was asked for came back. */
  | { readonly kind: 'unusable'; readonly reason: string; readonly text: string; readonly spent: Spent };

/** What an agent would do next. */
export type ActionAnswer =
  | { readonly kind: 'chosen'; readonly option: number; readonly how: string }
  /** Of each option, what was found about it. Who only finds, chooses nothing. */
  | { readonly kind: 'found'; readonly evidence: readonly (readonly string[])[] };

export interface ActionQuestion {
  readonly request: string;
  readonly options: readonly string[];
}

/** Answers from a context and from nothing else. Rejects with `ModelFailed` where a model cannot be asked. */
export interface Respondent {
  readonly id: RespondentId;
  /** One sentence; who cannot tell which it is gives a few, a line each. */
  goal(context: readonly ContextMessage[], signal: AbortSignal): Promise<Answer<string>>;
  constraints(context: readonly ContextMessage[], signal: AbortSignal): Promise<Answer<readonly string[]>>;
  action(
    context: readonly ContextMessage[],
    question: ActionQuestion,
    signal: AbortSignal,
  ): Promise<Answer<ActionAnswer>>;
}

/** The exact questions of docs/specification.md, "Evaluation". */
export const questions = {
  goal: 'In one sentence, what is your current goal?',
  constraints: 'What constraints are you currently operating under?',
};
