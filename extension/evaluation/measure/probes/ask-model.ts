import type { LanguageModel, Prompt } from '../../../engine/block/language-model';
import type { ProbeAnswer } from '../../../engine/prompts/probes';
import type { Answer } from './respondent';

/** An unreadable answer is asked for once more. */
const attempts = 2;

/** Enough for a list of constraints. */
const maxAnswerTokens = 2_000;
/** In UTF-16 units, for servers that ignore the token limit. */
const maxAnswerLength = 20_000;

/** Asks up to `attempts` times until the answer can be parsed. Rejects with `ModelFailed` or the signal's reason. */
export async function askModel<T>(
  model: LanguageModel,
  prompt: Prompt,
  parse: (text: string) => ProbeAnswer<T>,
  signal: AbortSignal,
): Promise<Answer<T>> {
  const spent = { input: 0, output: 0 };
  let last = { text: '', reason: '' };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const { text: whole, tokens } = await model.complete(prompt, { maxTokens: maxAnswerTokens, signal });
    const text = whole.slice(0, maxAnswerLength);
    spent.input += tokens.input;
    spent.output += tokens.output;
    const parsed = parse(text);
    if (parsed.kind === 'answer') return { kind: 'given', value: parsed.value, text, spent };
    last = { text, reason: String(parsed.reason) };
  }
  return { kind: 'unusable', ...last, spent };
}
