import type { LanguageModel, Prompt } from '../block/language-model';
import type { ParsedAnswer } from '../prompts/json-answer';

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

/** An unreadable answer is requested once more by default. */
const usualAttempts = 2;

export interface AskingOptions {
  readonly attempts?: number;
  readonly maxAnswerTokens?: number;
}

/** Sufficient for a list of constraints. In tokens. */
const maxAnswerTokens = 2_000;
/** In UTF-16 units, for servers that ignore the token limit. */
const maxAnswerLength = 20_000;

/** Asks up to `attempts` times until the answer can be parsed. Rejects with `ModelFailed` or the signal's reason. */
export async function askModel<T>(
  model: LanguageModel,
  prompt: Prompt,
  parse: (text: string, isCut: boolean) => ParsedAnswer<T>,
  signal: AbortSignal,
  { attempts = usualAttempts, maxAnswerTokens: maxTokens = maxAnswerTokens }: AskingOptions = {},
): Promise<Answer<T>> {
  const spent = { input: 0, output: 0 };
  let last = { text: '', reason: '' };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const { text: whole, tokens, isCut } = await model.complete(prompt, { maxTokens, signal });
    const text = whole.slice(0, maxAnswerLength);
    spent.input += tokens.input;
    spent.output += tokens.output;
    const parsed = parse(text, isCut || text.length < whole.length);
    if (parsed.kind === 'answer') return { kind: 'given', value: parsed.value, text, spent };
    last = { text, reason: String(parsed.reason) };
  }
  return { kind: 'unusable', ...last, spent };
}
