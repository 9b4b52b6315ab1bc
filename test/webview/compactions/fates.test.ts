import { describe, expect, it } from 'vitest';
import type { FateView } from '../../../extension/protocol/view';
import { fateShares, fatesHeading } from '../../../webview/state/compactions/fates';

const fate = (which: FateView['fate'], tokens: number): FateView => ({
  entryId: `e${tokens}`,
  fate: which,
  kind: 'assistant',
  preview: '',
  tokens,
});

describe('what became of the messages', () => {
  const fates = [fate('gone', 30), fate('whole', 10), fate('gone', 5)];

  it('is counted by fate, in one order', () => {
    expect(fateShares(fates)).toEqual([
      { fate: 'whole', count: 1, tokens: 10 },
      { fate: 'shortened', count: 0, tokens: 0 },
      { fate: 'gone', count: 2, tokens: 35 },
    ]);
  });

  it('covers all of them, or the newest of very many', () => {
    expect([fatesHeading(1, 1), fatesHeading(64, 64), fatesHeading(3_000, 9_000)]).toEqual([
      'What became of 1 message',
      'What became of 64 messages',
      'What became of the newest 3,000 of 9,000 messages',
    ]);
  });
});
