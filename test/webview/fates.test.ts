import { describe, expect, it } from 'vitest';
import type { FateView } from '../../extension/protocol/view';
import { fateShares, fatesSummary } from '../../webview/state/fates';

const fate = (which: FateView['fate'], tokens: number): FateView => ({
  entryId: `e${tokens}`,
  fate: which,
  kind: 'assistant',
  preview: '',
  tokens,
});

describe('what became of the messages', () => {
  const fates = [fate('dropped', 30), fate('kept', 10), fate('dropped', 5)];

  it('is counted by fate, in one order', () => {
    expect(fateShares(fates)).toEqual([
      { fate: 'kept', count: 1, tokens: 10 },
      { fate: 'paraphrased', count: 0, tokens: 0 },
      { fate: 'dropped', count: 2, tokens: 35 },
    ]);
  });

  it('is said without what did not happen', () => {
    expect([fatesSummary(fates), fatesSummary([])]).toEqual(['1 kept, 2 dropped', '']);
  });
});
