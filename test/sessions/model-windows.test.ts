import { describe, expect, it } from 'vitest';
import { contextWindowOf } from '../../extension/sessions/model-windows';

describe('the context window of a model', () => {
  it.each([
    ['claude-opus-4-5', 200_000],
    ['claude-sonnet-4-5-20250929', 200_000],
    ['claude-sonnet-4-5[1m]', 1_000_000],
    ['claude-3-5-haiku-latest', 200_000],
    ['anthropic/claude-sonnet-4', 200_000],
    ['us.anthropic.claude-sonnet-4-20250514-v1:0', 200_000],
    ['gpt-4o-mini', 128_000],
    ['gpt-4.1-mini', 1_047_576],
    ['gpt-5.1-codex', 400_000],
    ['gpt-5-chat-latest', 128_000],
    ['o3-mini', 200_000],
    ['o1-mini', 128_000],
    ['gemini-2.5-pro', 1_048_576],
    ['models/gemini-3-pro-preview', 1_048_576],
    ['Qwen3-Coder-480B', 262_144],
  ])('%s takes %d tokens', (model, tokens) => {
    expect(contextWindowOf(model)).toBe(tokens);
  });

  it.each([null, '', 'scripted', 'o100', 'gpt-50', 'gemini-20', '<synthetic>', 'my-claude-opus'])(
    'is not guessed for %s',
    (model) => {
      expect(contextWindowOf(model)).toBeNull();
    },
  );
});
