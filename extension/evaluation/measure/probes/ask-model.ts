import type { LanguageModel, Prompt } from '../../../engine/block/language-model';
import type { ProbeAnswer } from '../../../engine/prompts/probes';
import type { Answer } from './respondent';

/** An answer that says something else is asked for once more. */
const attempts = 2;

/** Enough for a list of constraints; who writes a novel is cut off. */
const longestAnswer = 2_000;
/** Whatever the server makes of that. In UTF-16 units. */
const longestText = 20_000;

/** Asks until the answer can be read, twice at most. Rejects with `ModelFailed`, or with the signal's reason. */
export async function askModel<T>(
  model: LanguageModel,
  prompt: Prompt,
  parse: (text: string) => ProbeAnswer<T>,
  signal: AbortSignal,
): Promise<Answer<T>> {
  const spent = { input: 0, output: 0 };
  let last = { text: '', reason: '' };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const { text: whole, tokens } = await model.complete(prompt, { maxTokens: longestAnswer, signal });
    const text = whole.slice(0, longestText);
    spent.input += tokens.input;
    spent.output += tokens.output;
    const parsed = parse(text);
    if (parsed.kind === 'answer') return { kind: 'given', value: parsed.value, text, spent };
    last = { text, reason: parsed.reason };
  }
  return { kind: 'unusable', ...last, spent };
}
