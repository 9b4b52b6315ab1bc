import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, it } from 'vitest';
import { countWithO200k } from '../../../extension/engine/conversation/tokenizer';

describe('counting with o200k_base', () => {
  it('counts plain text as the encoding does', () => {
    expect(countWithO200k('hello world')).toBe(2);
    expect(countWithO200k('')).toBe(0);
  });

  it('counts special tokens as text', () => {
    expect(countWithO200k('<|im_start|>system<|im_end|><|endoftext|>')).toBeGreaterThan(6);
  });

  it('counts any text, also with broken surrogates', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => countWithO200k(text) >= (text === '' ? 0 : 1)));
    expect(countWithO200k('\ud800 broken \udfff')).toBeGreaterThan(2);
  });

  it('gives the same count as tokenizing the whole text, whatever characters are adjacent', () => {
    const pieces = [
      ...['word', 'Word', 'WORDS', 'camelCase', 'HTMLElement', "it's", "I'LL", "can'T", "'re", 'ß', 'Ωμέγα', 'привет'],
      ...[
        '你好',
        'こんにちは',
        '\u0301',
        'ǅ',
        '7',
        '1234567',
        '٣٤',
        '½',
        ' ',
        '  ',
        '\t',
        '\n',
        '\r\n',
        '\n\n',
        '\u00a0',
        '\u3000',
      ],
      ...['{', '});', '//', '/*', '"', "'", '--', '…', '🙂', '👩‍💻', '\ud800', '\udfff', '<|im_start|>', '\0'],
      'antidisestablishmentarianism',
      'c2lnSSBoYXZlIDAgdG9vbCByZXN1bHRz',
    ];
    const text = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 4 }));
    fc.assert(
      fc.property(fc.array(text, { maxLength: 30 }), (texts) => {
        const whole = texts.join('');
        return countWithO200k(whole) === countTokens(whole, { disallowedSpecial: new Set() });
      }),
      { numRuns: 2_000 },
    );
  });

  it('differs by at most one token for each cut in a long text', () => {
    const sentence = 'The quick brown fox jumps over the lazy dog near file_12.txt.\n';
    const short = countWithO200k(sentence.repeat(100));
    const long = countWithO200k(sentence.repeat(10_000));
    const cuts = Math.ceil((sentence.length * 10_000) / 65_536);
    expect(Math.abs(long - short * 100)).toBeLessThanOrEqual(cuts + 100);
  });

  it('counts a megabyte without a space', () => {
    expect(countWithO200k('a'.repeat(1_000_000))).toBeGreaterThan(1000);
  });
});
