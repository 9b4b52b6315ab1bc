import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { diffTexts, foldChange, type TextChange } from '../../../webview/state/shared/text-diff';

const side = (changes: readonly TextChange[], other: TextChange['kind']) =>
  changes
    .filter(({ kind }) => kind !== other)
    .map(({ text }) => text)
    .join('');

describe('before and after', () => {
  it('compares word by word', () => {
    const { precision, changes } = diffTexts('support yaml too', 'support toml too');

    expect(precision).toBe('words');
    expect(changes).toEqual([
      { kind: 'same', text: 'support ' },
      { kind: 'removed', text: 'yaml' },
      { kind: 'added', text: 'toml' },
      { kind: 'same', text: ' too' },
    ]);
  });

  it('loses no character of either text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (before, after) => {
        const { changes } = diffTexts(before, after);
        expect(side(changes, 'added')).toBe(before);
        expect(side(changes, 'removed')).toBe(after);
      }),
    );
  });

  it('does not scatter the words that unlike sentences happen to share', () => {
    const before = 'The loader tries three locations and the first of them wins.';
    const after = 'Dead ends: the schema option rejects anchors, and it was dropped.';

    expect(diffTexts(before, after).changes.slice(0, 2)).toEqual([
      { kind: 'removed', text: before.slice(0, -1) },
      { kind: 'added', text: after.slice(0, -1) },
    ]);
  });

  it('compares long texts by paragraph, and short paragraphs by word', () => {
    const line = (index: number) => `line ${index} says something of its own\n`;
    const before = Array.from({ length: 4_000 }, (_, index) => line(index)).join('');
    const after = before.replace('line 77 says', 'line 77 SAYS');

    const { precision, changes } = diffTexts(before, after);

    expect(precision).toBe('paragraphs');
    expect(changes.filter(({ kind }) => kind !== 'same')).toEqual([
      { kind: 'removed', text: 'says' },
      { kind: 'added', text: 'SAYS' },
    ]);
    expect(side(changes, 'removed')).toBe(after);
  });

  it('gives up comparing long texts when its time is over', () => {
    let now = 0;
    const clock = vi.spyOn(Date, 'now').mockImplementation(() => (now += 1_000));
    onTestFinished(() => clock.mockRestore());
    const words = (seed: number) =>
      Array.from({ length: 60_000 }, (_, index) => `w${(index * seed) % 99_991}\n`).join('');

    const { precision, changes } = diffTexts(words(7), words(13));

    expect(precision).toBe('whole');
    expect(changes).toEqual([
      { kind: 'removed', text: words(7) },
      { kind: 'added', text: words(13) },
    ]);
  });

  it('folds the middle of a long run at the ends of words, and loses nothing by it', () => {
    const text = 'word after word '.repeat(500);

    const [head, fold, tail] = foldChange({ kind: 'removed', text });

    if (head?.kind !== 'removed' || fold?.kind !== 'fold' || tail?.kind !== 'removed') throw new Error('not folded');
    expect(head.text).toMatch(/^word after word .*(word|after)$/);
    expect(tail.text).toMatch(/^ (word|after) .*word $/);
    expect(head.text.length + fold.hidden + tail.text.length).toBe(text.length);
  });

  it('does not fold short or added text', () => {
    expect(foldChange({ kind: 'removed', text: 'short' })).toHaveLength(1);
    expect(foldChange({ kind: 'added', text: 'x'.repeat(9_000) })).toHaveLength(1);
  });
});
