import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row, RowKind } from '../../../extension/protocol/view';
import * as minimap from '../../../webview/state/timeline/minimap';
import { blockRow, row } from '../builders/view';

const { rowAtShare, tokensAbove } = minimap;
const minimapRuns = (rows: readonly Row[], height: number) => minimap.minimapRuns(rows, tokensAbove(rows), height);
const turnMarks = (rows: readonly Row[], height: number) => minimap.turnMarks(rows, tokensAbove(rows), height);

const sized = (...sizes: readonly [RowKind, number][]) =>
  sizes.map(([kind, tokens], index) => row(`r${index}`, { kind, tokens }));

describe('the minimap', () => {
  it('gives each row a height by its tokens', () => {
    expect(minimapRuns(sized(['system', 10], ['tool', 30], ['assistant', 60]), 100)).toEqual([
      { kind: 'system', top: 0, height: 10 },
      { kind: 'tool', top: 10, height: 30 },
      { kind: 'assistant', top: 40, height: 60 },
    ]);
  });

  it('gives a pixel to the row that has most of it', () => {
    const runs = minimapRuns(sized(['tool', 3], ['assistant', 6], ['user', 1]), 1);

    expect(runs).toEqual([{ kind: 'assistant', top: 0, height: 1 }]);
  });

  it('is empty without rows or without height', () => {
    expect(minimapRuns([], 100)).toEqual([]);
    expect(minimapRuns(sized(['tool', 5]), 0)).toEqual([]);
  });

  it('covers every pixel once, however many rows there are', () => {
    const kinds = fc.constantFrom<RowKind>('tool', 'user', 'assistant');
    const sizes = fc.array(fc.tuple(kinds, fc.integer({ min: 1, max: 5_000 })), { minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(sizes, fc.integer({ min: 1, max: 120 }), (rowSizes, height) => {
        const runs = minimapRuns(sized(...rowSizes), height);
        let bottom = 0;
        for (const run of runs) {
          expect(run.top).toBe(bottom);
          bottom += run.height;
        }
        expect(bottom).toBe(height);
      }),
    );
  });

  it('marks where turns begin, unless the marks would cover everything', () => {
    const few = sized(['user', 50], ['tool', 50], ['user', 100]);
    const many = sized(...Array.from({ length: 60 }, (): [RowKind, number] => ['user', 10]));

    expect(turnMarks(few, 100)).toEqual([0, 50]);
    expect(turnMarks(many, 100)).toEqual([]);
  });

  it('marks compactions and pins however small they are, once for each pixel', () => {
    const rows = [
      row('a', { tokens: 5_000 }),
      blockRow('b', 'strata:1', { tokens: 1 }),
      blockRow('c', 'strata:2', { tokens: 1 }),
      row('p', { tokens: 4_997, pinned: ['goal'] }),
      row('last', { tokens: 1, pinned: ['goal'] }),
    ];

    expect(minimap.minimapMarks(rows, tokensAbove(rows), 100)).toEqual([
      { kind: 'summary', top: 50 },
      { kind: 'pin', top: 50 },
      { kind: 'pin', top: 99 },
    ]);
    expect(minimap.minimapMarks(rows, tokensAbove(rows), 0)).toEqual([]);
  });

  it('leads back to the row at a place', () => {
    const offsets = tokensAbove(sized(['system', 10], ['tool', 30], ['assistant', 60]));

    expect([0, 0.05, 0.1, 0.39, 0.4, 1].map((share) => rowAtShare(offsets, share))).toEqual([0, 0, 1, 1, 2, 2]);
  });
});
