import { describe, expect, it } from 'vitest';
import type { PanelStart } from '../../extension/protocol/messages';
import { Panel } from '../../webview/state/panel.svelte';
import type { SavedState } from '../../webview/state/saved-state';
import { formatSize } from '../../webview/state/shared/format';
import { flush, noModel, row, rows, testHost, view } from './builders/view';

const big = { file: '/sessions/big.jsonl', size: 200_000_000 };

const startOf = (fields: Partial<PanelStart> = {}): PanelStart => ({
  view: null,
  sessions: [],
  strategies: [],
  defaultStrategy: 'pipeline',
  summarizer: noModel,
  placement: 'view',
  busy: null,
  opening: null,
  evaluation: { revision: 0, running: null },
  ...fields,
});

async function started(start: Partial<PanelStart> = {}, saved?: unknown) {
  const panel = new Panel(testHost({ start: async () => startOf(start) }, saved));
  await panel.start();
  await flush();
  return panel;
}

async function leftOpen(): Promise<SavedState> {
  const panel = await started({ view: view({ rows: rows('a', 'b', 'c') }) });
  panel.timeline.anchor = { kind: 'at', key: 'a', offset: 3 };
  const [line] = panel.timeline.lines;
  if (line) panel.timeline.activate(line);
  return panel.saved;
}

describe('a session that is being opened', () => {
  it('is known from the start until the host has opened it', async () => {
    const panel = await started({ opening: big });
    expect(panel.opening).toEqual(big);
    panel.notifications['opening-changed']({ opening: null });
    expect(panel.opening).toBe(null);
  });

  it('leaves the session on screen where it is', async () => {
    const panel = await started({ view: view({ rows: rows('a') }) });
    panel.notifications['opening-changed']({ opening: big });
    expect(panel.session.rows.map(({ key }) => key)).toEqual(['a']);
  });

  it('is restored as it was left, also if it comes after the first frame', async () => {
    const saved = await leftOpen();
    const panel = await started({ opening: big }, saved);
    expect(panel.saved.session).toEqual(saved.session);
    panel.notifications['session-opened']({ view: view({ rows: rows('a', 'b', 'c') }) });
    await flush();
    expect(panel.timeline.anchor).toEqual({ kind: 'at', key: 'a', offset: 3 });
    expect(panel.timeline.activeKey).toBe('a');
  });

  it('is restored as it was left once its earlier rows have arrived', async () => {
    const saved = await leftOpen();
    const panel = await started({ view: view({ rows: rows('c'), earlierRowsFollow: true }) }, saved);
    expect(panel.timeline.anchor).toEqual({ kind: 'newest' });
    expect(panel.saved.session).toEqual(saved.session);
    const splice = { at: 0, removed: 0, rows: rows('a', 'b') };
    panel.notifications['session-changed']({ change: { revision: 2, earlierRowsFollow: false, splice } });
    await flush();
    expect(panel.session.rows.map(({ key }) => key)).toEqual(['a', 'b', 'c']);
    expect(panel.timeline.anchor).toEqual({ kind: 'at', key: 'a', offset: 3 });
  });

  it('takes nothing over from another session', async () => {
    const panel = await started({}, await leftOpen());
    const { header } = view();
    panel.notifications['session-opened']({ view: view({ header: { ...header, file: '/sessions/other.jsonl' } }) });
    await flush();
    expect(panel.timeline.anchor).toEqual({ kind: 'newest' });
    panel.notifications['session-opened']({ view: view({ rows: rows('a') }) });
    await flush();
    expect(panel.timeline.anchor).toEqual({ kind: 'newest' });
  });

  it('keeps a preview when earlier rows or exact counts come, and not when the context changes', async () => {
    const panel = await started({ view: view({ rows: rows('c'), earlierRowsFollow: true }) });
    const changed = (splice: { at: number; removed: number; rows: ReturnType<typeof rows> }, revision: number) => {
      const before = panel.session.contextRevision;
      panel.notifications['session-changed']({ change: { revision, earlierRowsFollow: false, splice } });
      return panel.session.contextRevision - before;
    };
    expect(changed({ at: 0, removed: 0, rows: rows('a', 'b') }, 2)).toBe(0);
    expect(changed({ at: 1, removed: 1, rows: [row('b', { tokens: 77 })] }, 3)).toBe(0);
    expect(changed({ at: 1, removed: 1, rows: [row('b', { preview: 'something else' })] }, 4)).toBe(1);
    expect(changed({ at: 3, removed: 0, rows: rows('d') }, 5)).toBe(1);
    expect(panel.session.rows.map(({ key }) => key)).toEqual(['a', 'b', 'c', 'd']);
  });
});

describe('the size of a session', () => {
  it('is written as in file managers', () => {
    expect([0, 812, 1024, 4_300, 201_117_245, 5_000_000_000].map(formatSize)).toEqual([
      '0 bytes',
      '812 bytes',
      '1 KB',
      '4.2 KB',
      '191.8 MB',
      '4.7 GB',
    ]);
  });
});
