import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inPieces, ShownSession, sessionChange } from '../../../extension/host/view/session-change';
import type { Row } from '../../../extension/protocol/view';
import { SessionState } from '../../../webview/state/session.svelte';
import { row, view } from '../../webview/builders/view';

const numbered = (count: number, tokens = 1): Row[] =>
  Array.from({ length: count }, (_, index) => row(`row ${index}`, { tokens }));

describe('a long change', () => {
  it('a long change is split into pieces, newest rows first, and the last one marks the end', () => {
    const rows = numbered(20_000);
    const before = view({ revision: 1, rows: rows.slice(-400), earlierRowsFollow: true });
    const pieces = inPieces(sessionChange(before, view({ revision: 2, rows })), before.rows);
    expect(pieces.map(({ revision, splice }) => [revision, splice?.at, splice?.removed, splice?.rows.length])).toEqual([
      [2, 0, 0, 8000],
      [3, 0, 0, 8000],
      [4, 0, 0, 3600],
    ]);
    expect(pieces.map(({ earlierRowsFollow }) => earlierRowsFollow)).toEqual([undefined, undefined, false]);
  });

  it('a long change that changes keys of rows is not split, so that no row appears twice', () => {
    const before = view({ rows: numbered(20_000) });
    const after = view({ revision: 2, rows: [row('a block'), ...numbered(20_000, 2).slice(1)] });
    expect(inPieces(sessionChange(before, after), before.rows)).toHaveLength(1);
  });

  it('gives the webview the host’s rows, whatever happens meanwhile', () => {
    const anyStep = fc.record({ rows: fc.integer({ min: 0, max: 20_000 }), tokens: fc.integer({ min: 1, max: 3 }) });
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 4 }), fc.nat(400), (steps, newest) => {
        const shown = new ShownSession();
        const webview = new SessionState();
        const [first] = steps;
        const rows = numbered(first?.rows ?? 0);
        const opened = shown.show(view({ rows: rows.slice(-newest), earlierRowsFollow: true }));
        if (opened) webview.open(opened);
        for (const step of steps) {
          const after = view({ rows: numbered(step.rows, step.tokens) });
          for (const change of shown.change(after)) {
            expect(webview.apply(change)).toBe('applied');
            const keys = webview.rows.map(({ key }) => key);
            expect(new Set(keys).size).toBe(keys.length);
          }
          expect(webview.rows).toEqual(after.rows);
          expect(webview.view?.earlierRowsFollow ?? false).toBe(false);
        }
      }),
      { numRuns: 20, seed: 6 },
    );
  });
});

describe('a change of a session', () => {
  it('a change of a session has every field of the view that changed', () => {
    const before = view();
    const { rows: _rows, revision: _revision, earlierRowsFollow: _follow, ...fields } = before;
    for (const key of Object.keys(fields) as (keyof typeof fields)[]) {
      const after = { ...before, [key]: { changed: true } };
      expect(Object.keys(sessionChange(before, after))).toEqual(['revision', key]);
    }
  });
});

describe('the session that one webview shows', () => {
  it('the session that one webview shows has its own revisions, even if another webview got changes in between', () => {
    const shown = new ShownSession();
    expect(shown.show(view({ revision: 7 }))?.revision).toBe(1);
    expect(shown.change(view({ revision: 12 })).map(({ revision }) => revision)).toEqual([2]);
  });

  it('gets no changes before it was given a session', () => {
    const shown = new ShownSession();
    expect(shown.change(view())).toEqual([]);
    expect(shown.show(null)).toBe(null);
    expect(shown.change(view())).toEqual([]);
  });
});
