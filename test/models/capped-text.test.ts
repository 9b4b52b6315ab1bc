import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CappedText } from '../../extension/models/capped-text';

const words = (text: string) => text.split(/\s+/).filter(Boolean).length;

describe('capped text', () => {
  it('capped text is full soon after its limit, and never before, however it arrives', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('word ', 'two words ', 'x', ' ', 'a longer piece of text '), { maxLength: 400 }),
        fc.integer({ min: 1, max: 100 }),
        (pieces, maxTokens) => {
          const text = new CappedText({ maxTokens, reasoningTokens: 0, countTokens: words });
          const full = pieces.findIndex((piece) => text.add(piece));
          const upTo = pieces.slice(0, full === -1 ? pieces.length : full + 1).join('');
          if (full !== -1) expect(words(upTo)).toBeGreaterThanOrEqual(maxTokens);
          // The text is counted every sixty-four characters, and these are at most as many words.
          expect(words(upTo)).toBeLessThanOrEqual(maxTokens + 64 + 5);
        },
      ),
    );
  });

  it('capped text is counted only a few times', () => {
    let counts = 0;
    const countTokens = (text: string) => {
      counts += 1;
      return Math.ceil(text.length / 4);
    };
    const text = new CappedText({ maxTokens: 10_000, reasoningTokens: 0, countTokens });
    let pieces = 0;
    while (!text.add('word')) pieces += 1;
    expect(pieces).toBeGreaterThanOrEqual(9_999);
    expect(counts).toBeLessThan(60);
  });

  it('gives reasoning limited room of its own', () => {
    const text = new CappedText({ maxTokens: 10, reasoningTokens: 100, countTokens: words });
    expect(text.addReasoning('x'.repeat(300))).toBe(false);
    expect(text.addReasoning('x'.repeat(300))).toBe(true);
    expect([text.text, text.hasReasoned]).toEqual(['', true]);
  });

  it('hides reasoning within the text', () => {
    const text = new CappedText({ maxTokens: 100, reasoningTokens: 100, countTokens: words });
    text.add('<think>Hm, ');
    expect(text.text).toBe('');
    text.add('so.</think>\nThe answer.');
    expect([text.text, text.hasReasoned]).toEqual(['The answer.', true]);
  });
});
