import { describe, expect, it } from 'vitest';
import { leavingOf } from '../../../webview/state/preview/leaving';
import { leavingRuns, tokensAbove } from '../../../webview/state/timeline/minimap';
import { preview, row } from '../builders/view';

/** Tests of what a preview marks in timeline and minimap. */

const [block] = preview('p').blocks;
if (!block) throw new Error('The sample preview has no block.');

const twoBlocks = preview('p', {
  blocks: [
    { ...block, leaving: ['a', 'a#1'] },
    { ...block, tag: '[GOAL BATCH]', leaving: ['c'] },
  ],
});

describe('what a preview would take', () => {
  it('marks each row that would go with the kind of its block', () => {
    expect([...leavingOf(twoBlocks)]).toEqual([
      ['a', 'summary'],
      ['a#1', 'summary'],
      ['c', 'goal_batch'],
    ]);
  });

  it('marks the pixels of rows that would go in the minimap, and joins neighbours', () => {
    const rows = ['a', 'a#1', 'b', 'c'].map((key) => row(key, { tokens: 100 }));
    expect(leavingRuns(rows, tokensAbove(rows), 40, leavingOf(twoBlocks))).toEqual([
      { kind: 'summary', top: 0, height: 20 },
      { kind: 'goal_batch', top: 30, height: 10 },
    ]);
  });
});
