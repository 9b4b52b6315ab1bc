/** A preview or a compaction. Questions are about the context before and after it. */
export interface AskingSubject {
  readonly of: 'preview' | 'compaction';
  readonly id: string;
}

export const standardQuestions = ['goal', 'constraints', 'next-step'] as const;
export type StandardQuestion = (typeof standardQuestions)[number];

export interface AskingCostView {
  /** The model that would be asked; null if none is chosen. */
  readonly model: string | null;
  /** Tokens of one question: sent with both contexts (`input`), and written at most (`mostOutput`). */
  readonly input: number;
  readonly mostOutput: number;
  /** The cost of one question, of two, and so on; empty if the price is not listed. */
  readonly prices: readonly string[];
  /** Contexts that are larger than the model's window, as sentences. They are not sent. */
  readonly tooLarge: readonly string[];
  /** The standard questions as they are sent. */
  readonly questions: Readonly<Record<StandardQuestion, string>>;
  readonly mostQuestions: number;
}

export interface AskedView {
  readonly model: string;
  readonly answers: readonly {
    readonly question: string;
    readonly before: AnswerView;
    readonly after: AnswerView;
  }[];
  /** As reported by the model. */
  readonly tokensSpent: { readonly input: number; readonly output: number };
}

export interface AnswerView {
  /** Empty without an answer. */
  readonly text: string;
  /** Why there is no answer, or what is wrong with it; null if the answer is fine. */
  readonly note: string | null;
}
