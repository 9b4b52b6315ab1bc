import type { Answer } from '../../../engine/asking/answer';
import type { ContextMessage } from '../../../engine/conversation/context';
import type { RespondentId } from '../results';

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
