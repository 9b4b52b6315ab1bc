import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { visibleText } from '../../extension/protocol/visible-text';
import { spokenRow } from '../../webview/state/timeline/row-text';
import { row } from '../webview/builders/view';

/** Texts with many terminal codes, direction marks and broken encodings. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom('\u001b[31m', '\u001b]0;', '\u0007', '\u202e', '\u2066', '\u200f', '\u200b', '\u200d', '\ufeff'),
      fc.constantFrom(
        '\ud83d',
        '\ude00',
        '👩',
        'ا',
        'क',
        'a',
        ' ',
        '\r',
        '\n',
        '\u{e0041}',
        '**',
        '`',
        '[',
        '](',
        '<b>',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    ),
    { maxLength: 40 },
  )
  .map((parts) => parts.join(''));

const unsafe =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/;

describe('a text that is painted', () => {
  it.each([
    ['plain text,\n\twith tabs', 'plain text,\n\twith tabs'],
    ['\u001b[1;31mred\u001b[0m \u001b(Bplain', 'red plain'],
    ['cut \u001b[3', 'cut '],
    ['\u001b]0;a title\u0007', '⟨U+001B⟩]0;a title⟨U+0007⟩'],
    ['user\u202enimda', 'user⟨U+202E⟩nimda'],
    ['a\u2066b\u2069c', 'a⟨U+2066⟩b⟨U+2069⟩c'],
    ['zero\u200bwidth\ufeff', 'zero⟨U+200B⟩width⟨U+FEFF⟩'],
    ['hidden \u{e0041}tag', 'hidden ⟨U+E0041⟩tag'],
    ['one\r\ntwo\rthree', 'one\ntwo\nthree'],
    ['half \ud83d pair', 'half \ufffd pair'],
  ])('%j shows as %j', (written, painted) => {
    expect(visibleText(written)).toBe(painted);
  });

  it.each(['👩‍👩‍👧‍👦', '👩🏽‍🚀', '❤️‍🔥', 'می‌خواهم', 'क्‍ष', 'أصلح محمّل', 'café', '中文'])('leaves %s as it is', (text) => {
    expect(visibleText(text)).toBe(text);
  });

  it('marks a joiner between letters that need none', () => {
    expect(visibleText('pass\u200dword')).toBe('pass⟨U+200D⟩word');
  });

  it('a text that is painted is well formed, and neither hides nor turns around anything, whatever was written', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        for (const painted of [visibleText(text), spokenRow(row('a', { preview: text }))]) {
          expect(painted.isWellFormed()).toBe(true);
          expect(painted).not.toMatch(unsafe);
        }
      }),
    );
  });

  it('stays the same when it is painted again', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(visibleText(visibleText(text))).toBe(visibleText(text));
      }),
    );
  });
});
