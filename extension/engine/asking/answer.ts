/** Tokens used by model calls. */
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
