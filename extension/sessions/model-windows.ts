import { plainModelName } from '../engine/block/model-name';

/**
 * Tokens that a model takes in, by the start of its name; the longest start that fits counts. From the providers' model
 * pages. A model whose window differs between providers or versions of one name is left out.
 */
const windows: readonly (readonly [prefix: string, tokens: number])[] = [
  // Anthropic: 200k for all models since Claude 2.1; the 1M variant is marked in the name.
  ['claude-2', 100_000],
  ['claude-2.1', 200_000],
  ['claude-3', 200_000],
  ['claude-haiku-', 200_000],
  ['claude-sonnet-', 200_000],
  ['claude-opus-', 200_000],

  // OpenAI.
  ['gpt-3.5-turbo', 16_385],
  ['gpt-4-turbo', 128_000],
  ['gpt-4o', 128_000],
  ['chatgpt-4o', 128_000],
  ['gpt-4.1', 1_047_576],
  ['gpt-5', 400_000],
  ['gpt-5-chat', 128_000],
  ['codex-mini', 200_000],
  ['o1', 200_000],
  ['o1-mini', 128_000],
  ['o1-preview', 128_000],
  ['o3', 200_000],
  ['o4-mini', 200_000],
  ['gpt-oss', 131_072],

  // Google.
  ['gemini-1.5-pro', 2_097_152],
  ['gemini-1.5-flash', 1_048_576],
  ['gemini-2', 1_048_576],
  ['gemini-3', 1_048_576],

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

/** So that `o1` is not the start of `o100`, nor `gpt-4o` of `gpt-4omni`. */
function isNamed(name: string, prefix: string): boolean {
  if (!name.startsWith(prefix)) return false;
  const next = name.charAt(prefix.length);
  return prefix.endsWith('-') || next === '' || /[^a-z0-9]/.test(next);
}
