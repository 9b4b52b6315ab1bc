import { describe, expect, it } from 'vitest';
import { costText, priceOf } from '../../extension/models/prices';

describe('the price of a model', () => {
  it.each([
    ['claude-haiku-4-5', 1, 5],
    ['claude-haiku-4-5-20251001', 1, 5],
    ['anthropic/claude-opus-5-5', 4, 20],
    ['us.anthropic.claude-haiku-4-5-20251001-v1:0', 1, 5],
    ['gpt-5.4-mini-2026-03-17', 0.75, 4.5],
    ['openai/gpt-6.2-sol', 4, 15],
    ['models/gemini-3.5-flash-lite', 0.3, 2.5],
  ])('is listed for %s', (model, input, output) => {
    expect(priceOf(model)).toEqual({ input, output });
  });

  it.each([null, '', 'haiku', 'claude', 'gpt-5.4-mini-high', 'claude-opus-5-7', 'constructor', 'my-gpt-5.4'])(
    'is not guessed for %s',
    (model) => {
      expect(priceOf(model)).toBeNull();
    },
  );

  it('is rounded up to whole cents, and dated', () => {
    const price = { input: 1, output: 5 };
    expect(String(costText(price, { input: 75_300, output: 1_400 }))).toBe('about $0.09 at list prices of 2026-11');
    expect(String(costText(price, { input: 100, output: 0 }))).toContain('$0.01');
    expect(costText(null, { input: 100, output: 0 })).toBeNull();
  });
});
