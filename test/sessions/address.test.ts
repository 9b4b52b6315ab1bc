import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressText, readAddress } from '../../extension/sessions/address';

describe('the address of a session', () => {
  it('the address of a session is its file, followed by its key if the file holds several', () => {
    expect(addressText({ file: '/a/b.jsonl', key: null })).toBe('/a/b.jsonl');
    expect(addressText({ file: '/a/b.db', key: 'ses_1' })).toBe('/a/b.db#ses_1');
    expect(readAddress('/a/b.db#ses_1')).toEqual([
      { file: '/a/b.db#ses_1', key: null },
      { file: '/a/b.db', key: 'ses_1' },
    ]);
  });

  it('the address of a session may be a file alone that has the mark in its path', () => {
    expect(readAddress('/a#b/c.jsonl')).toEqual([{ file: '/a#b/c.jsonl', key: null }]);
    expect(readAddress('/a/b#')).toEqual([{ file: '/a/b#', key: null }]);
  });

  it('the address of a session leads back to any key', () => {
    const key = fc.string({ unit: 'grapheme', minLength: 1 });
    fc.assert(
      fc.property(key, (text) => {
        expect(readAddress(addressText({ file: '/a/b.db', key: text })).at(-1)).toEqual({ file: '/a/b.db', key: text });
      }),
    );
  });
});
