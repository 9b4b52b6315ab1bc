import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../extension/engine/conversation/token-estimate';
import { countWithO200k } from '../../../extension/engine/conversation/tokenizer';

const root = join(import.meta.dirname, '../../..');

/** The error of the sum over the text, because single short texts differ more. */
function errorOf(text: string): number {
  return estimateTokens(text) / countWithO200k(text) - 1;
}

const read = (path: string) => readFileSync(join(root, path), 'utf8').slice(0, 200_000);

describe('the estimate of o200k_base', () => {
  it.each([
    'test/fixtures/pi-v1/until-after-first-compaction.jsonl',
    'docs/library.md',
    'README.md',
    'extension/engine/run/workbench.ts',
    'package-lock.json',
    'node_modules/axe-core/axe.js',
  ])('is within 5 %% of the exact count for %s', (path) => {
    expect(Math.abs(errorOf(read(path)))).toBeLessThan(0.05);
  });

  it.each(['ja', 'ru', 'zh-cn', 'de', 'ko', 'tr', 'pl'])(
    'is at most a fifth too high for the language %s',
    (language) => {
      const error = errorOf(read(`node_modules/typescript/lib/${language}/diagnosticMessages.generated.json`));
      expect(error).toBeLessThan(0.2);
      expect(error).toBeGreaterThan(-0.05);
    },
  );

  it('the estimate of o200k_base is a whole number, and the same in pieces as whole', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => Number.isInteger(estimateTokens(text))));
    const long = read('node_modules/axe-core/axe.js').slice(0, 65_536 * 2);
    expect(estimateTokens(long)).toBe(estimateTokens(long.slice(0, 65_536)) + estimateTokens(long.slice(65_536)));
  });

  it('counts special tokens as text, and a megabyte without a space', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('<|im_start|>')).toBeGreaterThan(3);
    expect(estimateTokens('a'.repeat(1_000_000))).toBeGreaterThan(1000);
  });
});
