import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { portableSha256 } from '../../../extension/engine/conversation/sha256';
import { nativeSha256, sha256Of } from '../../../extension/platform/files/sha256';

const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('', 'überladen 🐌', '\ud83d', 'a\udc0cb', '\0'));

describe('the hash of a text', () => {
  it('the hash of a text is the same, whether the runtime has one of its own or not', () =>
    fc.assert(
      fc.property(texts, (text) => {
        const expected = createHash('sha256').update(text, 'utf8').digest('hex');
        expect(portableSha256(text)).toBe(expected);
        expect(sha256Of(text)).toBe(expected);
        expect((nativeSha256({ process }) ?? portableSha256)(text)).toBe(expected);
      }),
    ));

  it('the hash of a text uses the runtime’s own implementation if it has one', () => {
    const runtime = { process: { getBuiltinModule: () => ({ hash: (_: string, text: string) => `native ${text}` }) } };
    expect(nativeSha256(runtime)?.('a')).toBe('native a');
  });

  it.each([
    ['is none', {}],
    ['is older', { process: {} }],
    ['has no such module', { process: { getBuiltinModule: () => undefined } }],
    ['has another one', { process: { getBuiltinModule: () => ({}) } }],
  ])('the hash of a text is the portable one if the Node of a runtime %s', (_name, runtime) => {
    expect(nativeSha256(runtime)).toBe(null);
  });
});
