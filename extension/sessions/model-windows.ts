import { plainModelName } from '../engine/block/model-name';

/** Context window that is assumed for a model without a known one, in tokens. */
export const assumedContextWindow = 200_000;

/**
 * Tokens of input that a model takes, by the start of its name; the longest fitting start counts. Where a provider publishes one
 * window for input and output and refuses input beyond a limit of its own, the limit of the input is listed here.
 * Sources: the providers' model pages and the profiles of `@langchain/openai`, `@langchain/anthropic` and
 * `@langchain/google-genai`, 2026-11-27; a test compares both. A model whose window differs between providers or versions of one
 * name is left out.
 */
const windows: readonly (readonly [prefix: string, tokens: number])[] = [
  // Anthropic: 1M for all models since Claude 4.6 but Haiku 4.5. Before, the variant with 1M is marked in the name.
  ['claude-2', 100_000],
  ['claude-2.1', 200_000],
  ['claude-3', 200_000],
  ['claude-haiku-', 1_000_000],
  ['claude-haiku-4', 200_000],
  ['claude-sonnet-', 1_000_000],
  ['claude-sonnet-4', 200_000],
  ['claude-sonnet-4-6', 1_000_000],
  ['claude-opus-', 1_000_000],
  ['claude-opus-4', 200_000],
  ['claude-opus-4-6', 1_000_000],
  ['claude-opus-4-7', 1_000_000],
  ['claude-opus-4-8', 1_000_000],
  ['claude-fable-', 1_000_000],

  // OpenAI: since GPT-5 the window less the 128,000 tokens that are reserved for the answer.
  ['gpt-3.5-turbo', 16_385],
  ['gpt-4', 8_192],
  ['gpt-4-turbo', 128_000],
  ['gpt-4o', 128_000],
  ['chatgpt-4o', 128_000],
  ['gpt-4.1', 1_047_576],
  ['gpt-5', 272_000],
  ['gpt-5-pro', 128_000],
  ['gpt-5-chat', 111_616],
  ['gpt-5.2-chat', 111_616],
  ['gpt-5.3-chat', 111_616],
  ['gpt-5.3-codex-spark', 96_000],
  ['gpt-5.4', 922_000],
  ['gpt-5.4-mini', 272_000],
  ['gpt-5.4-nano', 272_000],
  ['gpt-5.5', 922_000],
  ['gpt-5.6', 922_000],
  ['gpt-6', 922_000],
  ['codex-mini', 200_000],
  ['o1', 200_000],
  ['o1-mini', 128_000],
  ['o1-preview', 128_000],
  ['o3', 200_000],
  ['o4-mini', 200_000],
  ['gpt-oss', 131_072],

  // Google.
  ['gemini-1.5', 1_000_000],
  ['gemini-2', 1_048_576],
  ['gemini-2.5-flash-image', 32_768],
  ['gemini-3', 1_000_000],

  // Others that coding agents are run with.
  ['qwen3-coder', 262_144],
  ['glm-4.5', 131_072],
];

const millionMark = /\[1m\]$/;
const million = 1_000_000;

/** Null when the model is not known: a window is never guessed. */
export function contextWindowOf(model: string | null): number | null {
  if (model === null) return null;
  const name = plainModelName(model);
  const fitting = windows
    .filter(([prefix]) => isNamed(name, prefix))
    .sort(([one], [other]) => other.length - one.length);
  const [best] = fitting;
  if (best === undefined) return null;
  return name.startsWith('claude-') && millionMark.test(name) ? million : best[1];
}

/** Whether the prefix ends at a word boundary: `o1` must not match `o100`, nor `gpt-4o` match `gpt-4omni`. */
function isNamed(name: string, prefix: string): boolean {
  if (!name.startsWith(prefix)) return false;
  const next = name.charAt(prefix.length);
  return prefix.endsWith('-') || next === '' || /[^a-z0-9]/.test(next);
}
