import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countWithO200k } from '../../../extension/engine/conversation/tokenizer';
import { beginningThatFits, cutToTokens, fittingText } from '../../../extension/inspection/lookup/budget';
import { findSession } from '../../../extension/inspection/lookup/find-session';
import { rankByWords } from '../../../extension/inspection/lookup/word-ranking';
import type { SessionSummary } from '../../../extension/sessions/session';

const text = fc.string({ unit: 'grapheme', maxLength: 300 });
const tokens = fc.integer({ min: 0, max: 60 });

describe('a text in a budget of tokens', () => {
  it('a text in a budget of tokens is a beginning of itself, never in half a character, and never too long', () => {
    fc.assert(
      fc.property(text, tokens, (whole, most) => {
        const fits = beginningThatFits(whole, { tokens: most, count: countWithO200k });
        expect(whole.startsWith(fits)).toBe(true);
        expect(fits.isWellFormed()).toBe(whole.isWellFormed());
        expect(countWithO200k(cutToTokens(whole, { tokens: most, count: countWithO200k }))).toBeLessThanOrEqual(most);
      }),
    );
  });

  it('says how many pieces were left out', () => {
    const pieces = ['one', 'two', 'three', 'four'];
    const told = { tellLeftOut: (count: number) => `${count} more` };
    const wordsCounted = { tokens: 9, count: (said: string) => said.split(' ').length };
    expect(fittingText(['head'], pieces, wordsCounted, told)).toBe('head\none\ntwo\n2 more');
    expect(fittingText(['head'], pieces.slice(2), wordsCounted, told)).toBe('head\nthree\nfour');
  });
});

describe('ranking by words', () => {
  const { signal } = new AbortController();
  const best = async (query: string, texts: string[]) =>
    (await rankByWords(query, texts, signal)).map(({ index }) => texts[index]);

  it('puts rare words before common ones and leaves out what shares none', async () => {
    const texts = ['the build passed', 'the build failed on arm64', 'the build passed again', 'lunch'];
    expect(await best('why did the arm64 build break?', texts)).toEqual([texts[1], texts[0], texts[2]]);
  });

  it('finds words inside names, in other forms, and in text without spaces', async () => {
    expect(await best('max retries', ['const maxRetries = 3', 'MAX_RETRY', 'retry.ts'])).toHaveLength(3);
    expect(await best('compacting', ['it was compacted', 'compacts'])).toHaveLength(2);
    expect(await best('请不要删除备份', ['备份在这里', '天气很好'])).toEqual(['备份在这里']);
  });

  it('finds nothing for a question without a telling word', async () => {
    expect(await best('what is it?', ['what is it?'])).toEqual([]);
  });
});

function session(id: string, title: string | null, cwd: string): SessionSummary {
  return { agent: 'pi', id, title, cwd, file: `/sessions/${id}.jsonl`, modified: 0, size: 1, live: false };
}

describe('a session by what it is called', () => {
  const sessions = [
    session('3f2a9c11-loader', 'Fix the loader', '/work'),
    session('7c00ffee-tests', 'Write tests for the loader', '/work'),
    session('9a9a9a9a-other', 'Fix the parser', '/elsewhere'),
    session('9a9a9a9b-same', 'Fix the parser', '/work'),
  ];
  const found = (asked: string, folders: string[] = []) => {
    const outcome = findSession(sessions, asked, folders);
    if (outcome.kind === 'ambiguous') return outcome.sessions.map(({ id }) => id);
    return outcome.kind === 'found' ? outcome.session.id : null;
  };

  it('a session by what it is called is found by id, beginning of the id, file and title', () => {
    for (const asked of [
      '3f2a9c11-loader',
      '3f2a9c',
      '/sessions/3f2a9c11-loader.jsonl',
      '3f2a9c11-loader.jsonl',
      'fix THE loader',
    ]) {
      expect(found(asked)).toBe('3f2a9c11-loader');
    }
  });

  it('a session by what it is called is found by words of its title, in any order', () => {
    expect(found('loader tests')).toBe('7c00ffee-tests');
    expect(found('loader')).toEqual(['3f2a9c11-loader', '7c00ffee-tests']);
    expect(found('database')).toBeNull();
  });

  it('a session found by its name is the one of the open folder if others have the same name', () => {
    expect(found('fix the parser')).toEqual(['9a9a9a9a-other', '9a9a9a9b-same']);
    expect(found('fix the parser', ['/work'])).toBe('9a9a9a9b-same');
  });
});
