import { type Answer, nothingSpent } from '../../../engine/asking/ask-model';
import type { ContextMessage } from '../../../engine/conversation/context';
import type { RespondentId } from '../results';
import { recallProbes } from './recall-probes';

/** The next action of an agent. */
export type ActionAnswer =
  | { readonly kind: 'chosen'; readonly option: number; readonly how: string }
  /** Sentences found about each option. A reader does not choose. */
  | { readonly kind: 'found'; readonly evidence: readonly (readonly string[])[] };

interface ActionQuestion {
  readonly request: string;
  readonly options: readonly string[];
}

/** Everything that was answered about one context. */
export interface PointAnswers {
  /** One sentence; a reader may give several candidates, one per line. */
  readonly goal: Answer<string>;
  readonly constraints: Answer<readonly string[]>;
  /** One for each of `recallProbes`, in order. Null if the respondent was not asked. */
  readonly recalled: readonly Answer<readonly string[]>[] | null;
  /** The next step in the respondent's own words. Null if it was not asked. */
  readonly next: Answer<string> | null;
  /** One for each question, in order. */
  readonly actions: readonly Answer<ActionAnswer>[];
}

/** Answers from a context only. */
export interface Respondent {
  readonly id: RespondentId;
  /** Rejects with `ModelFailed` if a model call fails. */
  answer(
    context: readonly ContextMessage[],
    actions: readonly ActionQuestion[],
    signal: AbortSignal,
  ): Promise<PointAnswers>;
}

/**
 * The answers of a respondent whose single reply to all questions cannot be used. Its tokens are attributed to the goal, which every point
 * has.
 */
export function unusableAnswers(whole: Extract<Answer<never>, { kind: 'unusable' }>, actions: number): PointAnswers {
  const unpaid = { ...whole, spent: nothingSpent };
  return {
    goal: whole,
    constraints: unpaid,
    recalled: recallProbes.map(() => unpaid),
    next: unpaid,
    actions: Array(actions).fill(unpaid),
  };
}

export interface SeparateAnswers {
  readonly id: RespondentId;
  goal(context: readonly ContextMessage[]): Answer<string>;
  constraints(context: readonly ContextMessage[]): Answer<readonly string[]>;
  action(context: readonly ContextMessage[], question: ActionQuestion): Answer<ActionAnswer>;
}

export function asRespondent(answers: SeparateAnswers): Respondent {
  return {
    id: answers.id,
    answer: async (context, actions) => ({
      goal: answers.goal(context),
      constraints: answers.constraints(context),
      recalled: null,
      next: null,
      actions: actions.map((question) => answers.action(context, question)),
    }),
  };
}
