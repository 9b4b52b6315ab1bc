import { describe, expect, it } from 'vitest';
import {
  formatAge,
  formatDuration,
  formatShare,
  formatTime,
  formatTokens,
  tailOfPath,
} from '../../../webview/state/shared/format';
import { blockExtent, imageName, spokenRow, stratumOf, withoutTag } from '../../../webview/state/timeline/row-text';
import { blockRow, row } from '../builders/view';

describe('numbers', () => {
  it.each([
    [0, '0'],
    [84, '84'],
    [999, '999'],
    [1_000, '1k'],
    [1_340, '1.3k'],
    [142_600, '142.6k'],
    [200_000, '200k'],
    [999_940, '999.9k'],
    [999_960, '1M'],
    [1_250_000, '1.3M'],
  ])('writes %d tokens as %s', (tokens, written) => {
    expect(formatTokens(tokens)).toBe(written);
  });

  it.each([
    [71, 100, '71 %'],
    [0, 100, '0 %'],
    [1, 1_000, '<1 %'],
    [5, 0, '0 %'],
    [300, 200, '150 %'],
  ])('writes %d of %d as %s', (part, whole, written) => {
    expect(formatShare(part, whole)).toBe(written);
  });

  it.each([
    [42, '42 ms'],
    [7_240, '7.2 s'],
    [65_000, '1 min 5 s'],
  ])('writes %d milliseconds as %s', (milliseconds, written) => {
    expect(formatDuration(milliseconds)).toBe(written);
  });
});

describe('times', () => {
  const now = new Date(2026, 10, 21, 15, 0).getTime();

  it.each([
    [10_000, 'just now'],
    [5 * 60_000, '5 min ago'],
    [3 * 3_600_000, '3 h ago'],
    [49 * 3_600_000, '2 d ago'],
  ])('says how long ago %d milliseconds are', (age, said) => {
    expect(formatAge(now - age, now)).toBe(said);
  });

  it('names the day only when it was another one', () => {
    const today = formatTime(now - 3_600_000, now);

    expect(formatTime(now - 30 * 3_600_000, now)).toContain('20');
    expect(formatTime(now - 30 * 3_600_000, now).length).toBeGreaterThan(today.length);
  });
});

describe('paths', () => {
  it.each([
    ['/home/dev/work/api', '…/work/api'],
    ['C:\\work\\api\\src', '…/api/src'],
    ['/api', '/api'],
  ])('keeps the end of %s', (path, tail) => {
    expect(tailOfPath(path)).toBe(tail);
  });
});

describe('a row in words', () => {
  it('says what its columns show', () => {
    const user = row('u', {
      kind: 'user',
      turn: 9,
      preview: 'add TOML',
      tokens: 84,
      pinned: ['constraint'],
      images: 1,
    });

    expect(spokenRow(user)).toBe('turn 9, user, add TOML, 1 image, pinned as constraint, 84 tokens');
  });

  it('says its share, that it is live, and what it hides', () => {
    const hidden = { rows: 7, tokens: 1_200, failed: 2, running: 0 };

    expect(spokenRow(row('u', { kind: 'user', turn: 2 }), { contextTokens: 400, isLive: true, hidden })).toBe(
      'turn 2, user, live, preview of u, 100 tokens (25 % of the context), folded: 2 failed, 7 rows, 1.2k tokens',
    );
  });

  it('names an image by its place and its type', () => {
    expect(imageName(0, 2, 'image/png')).toBe('Image 1 of 2, image/png');
  });

  it('says how a tool went', () => {
    const tool = { name: 'bash', subject: 'npm test', outcome: 'error', result: '1 failed', pruned: false } as const;

    expect(spokenRow(row('t', { kind: 'tool', tool, preview: '' }))).toBe(
      'tool, bash npm test failed 1 failed, 100 tokens',
    );
  });

  it('says that the output of a tool was taken out', () => {
    const tool = { name: 'read', subject: 'a.ts', outcome: 'ok', result: '', pruned: true } as const;

    expect(spokenRow(row('t', { kind: 'tool', tool, preview: '' }))).toBe(
      'tool, read a.ts succeeded output taken out, 100 tokens',
    );
  });

  it('reads the display line of a block if it has one', () => {
    const made = blockRow('b', 'strata:1', { preview: '## Goal Arc' });
    const block = made.block && { ...made.block, displayLine: 'The loader was fixed. Tests pass.' };

    expect(spokenRow({ ...made, block })).toBe(
      'summary, The loader was fixed. Tests pass., replaces 4 messages, was 900 tokens, 100 tokens',
    );
  });

  it('says what a block replaces', () => {
    expect(spokenRow(blockRow('b', 'strata:1', { preview: 'four reads' }))).toBe(
      'summary, four reads, replaces 4 messages, was 900 tokens, 100 tokens',
    );
  });

  it('leaves out the tag in front of the preview', () => {
    expect(withoutTag('[SUMMARIZED] 14 tool calls', '[SUMMARIZED]')).toBe('14 tool calls');
    expect(withoutTag('14 tool calls', '[SUMMARIZED]')).toBe('14 tool calls');
  });

  it('knows the stratum of a tag', () => {
    expect([stratumOf('[GOAL BATCH]'), stratumOf('[SUMMARIZED]'), stratumOf('compact summary')]).toEqual([
      'goal_batch',
      'summary',
      'summary',
    ]);
  });

  it('counts turns only if they are known', () => {
    expect(blockExtent({ turnCount: 6, entryCount: 84 })).toBe('6 turns, 84 messages');
    expect(blockExtent({ turnCount: null, entryCount: 1 })).toBe('1 message');
    expect(blockExtent({ turnCount: null, entryCount: 0 })).toBe('messages that are not in this file');
  });
});
