import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { folded, VerbatimText } from '../../../extension/engine/language/verbatim';

const fateIn = (text: string, wanted: string) => new VerbatimText(text).fateOf(wanted);

describe('a text in another one', () => {
  it('a text in another one is whole whatever white space, quotation marks and marks of quoted lines surround it', () => {
    expect(fateIn('User:\n> Add a flag,\n>\n> then the docs.', 'Add a flag,\n\nthen the docs.')).toBe('whole');
    expect(fateIn('- User: “commit this” · 3 calls', 'commit this')).toBe('whole');
    expect(fateIn('> 请先运行测试，然后提交。', '请先运行测试，然后提交。')).toBe('whole');
  });

  it('a text in another one is shortened if an omission mark follows its beginning', () => {
    const long = `Here is the log: ${'line '.repeat(200)}`;
    expect(fateIn('> Here is the log: line line\n[… 900 characters]\n> line', long)).toBe('shortened');
    expect(fateIn('- User: “Here is the log:” [… 990 characters]', long)).toBe('shortened');
    const chinese = '请先运行所有的测试，然后提交并推送到主分支。';
    expect(fateIn(`> ${chinese.slice(0, 18)} [… 90 characters]`, chinese)).toBe('shortened');
  });

  it('a text in another one is gone if only some of its words occur, or only as a part of a longer word', () => {
    expect(fateIn('I added the flag.', 'Add a flag, please.')).toBe('gone');
    expect(fateIn('the okapi', 'ok')).toBe('gone');
    expect(fateIn('anything', ' \n')).toBe('gone');
  });

  it('a text in another one is whole if it is short and many other words begin like it', () => {
    const words = Array.from({ length: 200 }, (_, at) => `go${at} and on to part ${at}`);
    expect(fateIn([...words, 'go', ...words].join(' '), 'go')).toBe('whole');
    expect(fateIn(words.join(' '), 'go')).toBe('gone');
  });

  it('a text in another one is whole wherever it occurs as whole words, and nowhere else', () => {
    const words = fc.array(fc.constantFrom('ok', 'go', 'on', 'the', 'flag', '请先', 'naïve', '🙂'), {
      minLength: 1,
      maxLength: 8,
    });
    fc.assert(
      fc.property(words, words, words, (before, wanted, after) => {
        const text = wanted.join(' ');
        expect(fateIn([...before, text, ...after].join(' '), text)).toBe('whole');
        const other = [...before, ...after].join(' ');
        if (fateIn(other, text) === 'whole') expect(folded(other)).toContain(folded(text));
      }),
    );
  });
});
