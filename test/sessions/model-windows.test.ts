import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { contextWindowOf } from '../../extension/sessions/model-windows';

describe('the context window of a model', () => {
  it.each([
    ['claude-opus-4-5', 200_000],
    ['claude-opus-4-20250514', 200_000],
    ['claude-sonnet-5', 1_000_000],
    ['claude-haiku-4-5-20251001', 200_000],
    ['claude-haiku-5-5', 1_000_000],
    ['claude-sonnet-4-5-20250929', 200_000],
    ['claude-sonnet-4-5[1m]', 1_000_000],
    ['claude-3-5-haiku-latest', 200_000],
    ['anthropic/claude-sonnet-4', 200_000],
    ['us.anthropic.claude-sonnet-4-20250514-v1:0', 200_000],
    ['gpt-4o-mini', 128_000],
    ['gpt-4.1-mini', 1_047_576],
    ['gpt-5', 272_000],
    ['gpt-5.1-codex', 272_000],
    ['gpt-5-chat-latest', 111_616],
    ['o3-mini', 200_000],
    ['o1-mini', 128_000],
    ['gemini-2.5-pro', 1_048_576],
    ['models/gemini-3-pro-preview', 1_000_000],
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

  it.each([
    ['@langchain/openai', 'chat_models/profiles.js'],
    ['@langchain/anthropic', 'profiles.js'],
    ['@langchain/google-genai', 'profiles.js'],
  ])('is never larger than %s publishes, and known for each model that writes text', async (name, path) => {
    const profiles = await profilesOf(name, path);
    const writing = Object.entries(profiles).filter(([model]) => !isForMedia.test(model));
    expect(writing.length).toBeGreaterThan(5);
    const unknown = writing.filter(([model]) => contextWindowOf(model) === null).map(([model]) => model);
    expect(unknown).toEqual([]);
    const tooLarge = writing.filter(([model, { maxInputTokens }]) => (contextWindowOf(model) ?? 0) > maxInputTokens);
    expect(tooLarge).toEqual([]);
  });

  it('leaves the answer of the newer models of OpenAI its room', async () => {
    const profiles = await profilesOf('@langchain/openai', 'chat_models/profiles.js');
    const newer = Object.entries(profiles).filter(([model]) => /^gpt-(?:5|6)/.test(model));
    const expected = newer.map(([model, { maxInputTokens, maxOutputTokens }]) => [
      model,
      maxInputTokens - maxOutputTokens,
    ]);
    expect(newer.map(([model]) => [model, contextWindowOf(model)])).toEqual(expected);
  });
});

interface Profile {
  readonly maxInputTokens: number;
  readonly maxOutputTokens: number;
}

/** Models for vectors, images and speech, and names that refer to the newest model of a family. */
const isForMedia = /embedding|image|realtime|live|tts|-latest$/;

async function profilesOf(name: string, path: string): Promise<Record<string, Profile>> {
  const entry = createRequire(import.meta.url).resolve(name);
  const { default: profiles } = await import(pathToFileURL(join(dirname(entry), path)).href);
  return profiles;
}
