import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row, RowsBeneath } from '../../../extension/protocol/view';
import type { Loadable } from '../../../webview/state/shared/loadable';
import {
  buildOutline,
  lastRowOf,
  lineIndexOf,
  rowIndexOf,
  treePositionOf,
} from '../../../webview/state/timeline/outline';
import { findTurns } from '../../../webview/state/timeline/turns';
import { blockRow, row, rows } from '../builders/view';

const ready = (...beneath: Row[]): Loadable<RowsBeneath> => ({
  kind: 'ready',
  value: { rows: beneath, unread: null },
});

describe('the outline of the timeline', () => {
  it('puts the messages of a block right below it, and those of blocks within blocks too', () => {
    const inner = blockRow('inner', 'strata:1');
    const expansions = new Map([
      ['block', ready(row('x'), inner, row('y'))],
      ['block>inner', ready(row('z'))],
    ]);

    const { lines } = buildOutline([row('a'), blockRow('block', 'strata:2'), row('b')], expansions, null);

    expect(lines.map((line) => `${line.level}${line.row.key}`)).toEqual([
      '1a',
      '1block',
      '2x',
      '2inner',
      '3z',
      '2y',
      '1b',
    ]);
  });

  it('shows nothing below a block that is still read', () => {
    const { lines } = buildOutline(
      [blockRow('block', 'strata:1'), row('b')],
      new Map([['block', { kind: 'loading' }]]),
      null,
    );

    expect(lines.map(({ key }) => key)).toEqual(['block', 'b']);
  });

  it('keeps the line of a row that did not change, also when others come before it', () => {
    const kept = row('kept');
    const before = buildOutline([row('a'), kept], new Map(), null);
    const after = buildOutline([row('new'), row('a'), kept], new Map(), null);

    expect(after.lines[2]).toBe(before.lines[1]);
  });

  it('has the lines of its rows, whatever rows it had before', () => {
    const known = rows(...'abcdefgh');
    const picks = fc.array(fc.subarray(known), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(picks, (sequence) => {
        for (const picked of sequence) {
          expect(buildOutline(picked, new Map(), null).lines.map((line) => line.row)).toEqual(picked);
        }
      }),
    );
  });

  it('says the place of a line among its siblings', () => {
    const outline = buildOutline(
      [row('a'), blockRow('block', 'strata:1'), row('b')],
      new Map([['block', ready(...rows('x', 'y', 'z'))]]),
      null,
    );

    expect([0, 1, 2, 4, 5].map((index) => treePositionOf(outline, index))).toEqual([
      { level: 1, position: 1, size: 3 },
      { level: 1, position: 2, size: 3 },
      { level: 2, position: 1, size: 3 },
      { level: 2, position: 3, size: 3 },
      { level: 1, position: 3, size: 3 },
    ]);
  });

  it('finds the line of each row and the row of each line, whichever blocks are open', () => {
    const counts = fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(counts, (beneath) => {
        const blocks = beneath.map((_, index) => blockRow(`b${index}`, `strata:${index}`));
        const expansions = new Map(
          beneath.map((count, index) => [
            `b${index}`,
            ready(...rows(...Array.from({ length: count }, (_, n) => `r${n}`))),
          ]),
        );
        const outline = buildOutline(blocks, expansions, null);
        for (const [index, block] of blocks.entries()) {
          const lineIndex = lineIndexOf(outline, index);
          expect(outline.lines[lineIndex]?.row).toBe(block);
          const below = beneath[index] ?? 0;
          for (let line = lineIndex; line <= lineIndex + below; line += 1)
            expect(rowIndexOf(outline, line)).toBe(index);
        }
      }),
    );
  });

  const turn = (key: string) => row(key, { kind: 'user' });
  const folding = (all: readonly Row[], ...folded: readonly string[]) => ({
    turns: findTurns(all),
    folded: new Set(folded),
  });

  it('leaves a folded turn one line', () => {
    const all = [row('a'), turn('u1'), row('b'), row('c'), turn('u2'), row('d')];

    const outline = buildOutline(all, new Map(), folding(all, 'u1', 'gone'));

    expect(outline.lines.map(({ key }) => key)).toEqual(['a', 'u1', 'u2', 'd']);
    expect([0, 1, 2, 3].map((line) => lastRowOf(outline, line))).toEqual([0, 3, 4, 5]);
    expect([0, 1, 2, 3, 4, 5].map((index) => lineIndexOf(outline, index))).toEqual([0, 1, 1, 1, 2, 3]);
  });

  it('counts the rows of a turn as its children', () => {
    const all = [row('a'), turn('u1'), row('b'), blockRow('block', 'strata:1'), turn('u2')];

    const outline = buildOutline(all, new Map([['block', ready(row('x'))]]), folding(all));

    expect(outline.lines.map((_, index) => treePositionOf(outline, index))).toEqual([
      { level: 1, position: 1, size: 3 },
      { level: 1, position: 2, size: 3 },
      { level: 2, position: 1, size: 2 },
      { level: 2, position: 2, size: 2 },
      { level: 3, position: 1, size: 1 },
      { level: 1, position: 3, size: 3 },
    ]);
  });

  it('leads from every row to the line that shows it, whatever is folded', () => {
    const kinds = fc.array(fc.record({ opens: fc.boolean(), folded: fc.boolean() }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(kinds, (made) => {
        const all = made.map(({ opens }, index) => (opens ? turn(`r${index}`) : row(`r${index}`)));
        const folded = made.flatMap((each, index) => (each.folded ? [`r${index}`] : []));
        const outline = buildOutline(all, new Map(), folding(all, ...folded));
        for (let index = 0; index < all.length; index += 1) {
          const line = lineIndexOf(outline, index);
          expect(rowIndexOf(outline, line)).toBeLessThanOrEqual(index);
          expect(lastRowOf(outline, line)).toBeGreaterThanOrEqual(index);
        }
      }),
    );
  });
});
