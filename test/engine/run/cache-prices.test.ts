import { describe, expect, it } from 'vitest';
import { cachePricesOf } from '../../../extension/engine/run/automation/cache-prices';

describe('the prices of a prompt cache', () => {
  it.each([
    ['claude-opus-4-6', 0.1, 1.25, 60],
    ['claude-opus-4-20250514', 0.1, 1.25, 60],
    ['claude-haiku-4-5-20251001', 0.1, 1.25, 60],
    ['claude-opus-5', 0.1, 1.25, 60],
    ['claude-sonnet-5-20260601', 0.1, 1.25, 60],
    ['claude-opus-5[1m]', 0.1, 1.25, 60],
    ['claude-fable-5', 0.1, 1.25, 60],
    ['claude-fable-5-1', 0.025, 1.25, 60],
    ['claude-opus-5-5-20260922', 0.05, 1.25, 60],
    ['anthropic/claude-sonnet-5.5', 0.05, 1.25, 60],
    ['us.anthropic.claude-haiku-5-5', 0.1, 1.25, 60],
    ['gpt-5-codex', 0.1, 1, 5],
    ['gpt-5.4-mini-2026-03-17', 0.1, 1, 5],
    ['openai/gpt-5.5', 0.1, 1, 5],
    ['gpt-5.6-terra', 0.1, 1.25, 30],
    ['gpt-6-astra', 0.1, 1.25, 30],
    ['gpt-6.2-sol', 0.05, 1.25, 30],
    ['models/gemini-2.5-pro', 0.1, 1, 5],
    ['gemini-3.8-flash', 0.1, 1, 5],
  ])('knows the cache prices of %s', (model, read, write, lifetime) => {
    expect(cachePricesOf(model)).toEqual({ read, write, lifetime });
  });

  it.each([null, '', 'a-model', 'claude-opus-6', 'claude-opus-5-7', 'gpt-5.7', 'gpt-50', 'gpt-5.5-pro', 'gpt-6.3-sol'])(
    'does not guess the cache prices of %s from a similar name',
    (model) => {
      expect(cachePricesOf(model)).toBeNull();
    },
  );
});
