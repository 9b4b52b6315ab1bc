import { describe, expect, it } from 'vitest';
import type { HeaderView, Row, RowDetail } from '../../../extension/protocol/view';
import { SessionState } from '../../../webview/state/session.svelte';
import { Timeline } from '../../../webview/state/timeline/timeline.svelte';
import { blockRow, deferred, flush, row, rows, testHost, view } from '../builders/view';

const detail = (text: string): RowDetail => ({
  sections: [{ label: '', text, cut: false, tone: 'plain' }],
  images: [],
  origin: null,
  entryId: null,
});

function open(sessionRows: readonly Row[], beneath: Record<string, readonly Row[]> = {}) {
  const session = new SessionState();
  session.open(view({ rows: sessionRows }));
  const host = testHost({
    'rows-beneath': async ({ compactionId }) => {
      const found = beneath[compactionId];
      if (!found) throw new Error(`nothing beneath ${compactionId}`);
      return { rows: found, unread: null };
    },
    'read-row': async ({ key }) => detail(`text of ${key}`),
  });
  return { session, host, timeline: new Timeline(session, host.request) };
}

const unfiltered = {
  isOpen: false,
  text: '',
  selection: 'all',
  tool: '',
  failedOnly: false,
  pinnedOnly: false,
} as const;

const activeKey = (timeline: Timeline) => timeline.lines[timeline.activeIndex]?.row.key;
const shown = (timeline: Timeline) => timeline.lines.map((line) => line.row.key).join(' ');

describe('the keyboard in the timeline', () => {
  it('starts at the newest row', () => {
    const { timeline } = open(rows('a', 'b', 'c'));

    timeline.press('ArrowUp', 10);

    expect(activeKey(timeline)).toBe('c');
  });

  it.each([
    ['ArrowDown', 'd'],
    ['ArrowUp', 'b'],
    ['PageDown', 'e'],
    ['PageUp', 'a'],
    ['Home', 'a'],
    ['End', 'f'],
  ])('moves with %s', (key, expected) => {
    const { timeline } = open(rows('a', 'b', 'c', 'd', 'e', 'f'));
    timeline.activeKey = 'c';

    expect(timeline.press(key, 2)).toBe(true);
    expect(activeKey(timeline)).toBe(expected);
  });

  it('stops at both ends', () => {
    const { timeline } = open(rows('a', 'b'));
    timeline.activeKey = 'b';

    timeline.press('ArrowDown', 10);
    expect(activeKey(timeline)).toBe('b');
    timeline.press('PageUp', 10);
    expect(activeKey(timeline)).toBe('a');
  });

  it('leaves other keys to others', () => {
    expect(open(rows('a')).timeline.press('x', 10)).toBe(false);
    expect(open([]).timeline.press('ArrowDown', 10)).toBe(false);
  });

  it('opens a block with Right, walks into it, and comes back with Left', async () => {
    const { timeline } = open([blockRow('block', 'strata:1'), row('b')], { 'strata:1': rows('x', 'y') });
    timeline.activeKey = 'block';

    timeline.press('ArrowRight', 10);
    await flush();
    expect(shown(timeline)).toBe('block x y b');

    timeline.press('ArrowRight', 10);
    expect(activeKey(timeline)).toBe('x');
    timeline.press('ArrowDown', 10);
    timeline.press('ArrowLeft', 10);
    expect(activeKey(timeline)).toBe('block');

    timeline.press('ArrowLeft', 10);
    expect(shown(timeline)).toBe('block b');
  });

  it('opens the detail of any other row with Right, and closes it with Left', async () => {
    const { timeline } = open(rows('a'));
    const [line] = timeline.lines;
    timeline.activeKey = 'a';

    timeline.press('ArrowRight', 10);
    await flush();
    expect(line && timeline.detail(line)).toEqual({ kind: 'ready', value: detail('text of a') });

    timeline.press('ArrowLeft', 10);
    expect(line && timeline.detail(line)).toBeUndefined();
  });

  it('shows the text of a block with Enter, and does not open its messages', async () => {
    const { timeline } = open([blockRow('block', 'strata:1')]);
    const [line] = timeline.lines;
    timeline.activeKey = 'block';

    timeline.press('Enter', 10);
    await flush();

    expect(line && timeline.detail(line)?.kind).toBe('ready');
    expect(line && timeline.beneath(line)).toBeUndefined();
  });
});

describe('what is open in the timeline', () => {
  it('reads the messages of a block only when it is opened', async () => {
    const { timeline, host } = open([blockRow('block', 'strata:1')], { 'strata:1': rows('x') });
    expect(host.asked).toEqual([]);

    for (const line of timeline.lines) timeline.toggleBeneath(line);
    await flush();

    expect(host.asked).toEqual(['rows-beneath']);
  });

  it('stays closed when it was closed while it was read', async () => {
    const session = new SessionState();
    session.open(view({ rows: [blockRow('block', 'strata:1')] }));
    const answer = deferred<'rows-beneath'>();
    const timeline = new Timeline(session, testHost({ 'rows-beneath': () => answer.promise }).request);
    const [line] = timeline.lines;
    if (line) timeline.toggleBeneath(line);
    if (line) timeline.toggleBeneath(line);

    answer.resolve({ rows: rows('x'), unread: null });
    await flush();

    expect(shown(timeline)).toBe('block');
  });

  it('says why something could not be read, and tries again when asked', async () => {
    const beneath: Record<string, readonly Row[]> = {};
    const { timeline } = open([blockRow('block', 'strata:1')], beneath);
    const [line] = timeline.lines;
    if (!line) throw new Error('no line');

    timeline.toggleBeneath(line);
    await flush();
    expect(timeline.beneath(line)).toEqual({ kind: 'failed', message: 'nothing beneath strata:1' });

    beneath['strata:1'] = rows('x');
    timeline.retry(line);
    await flush();
    expect(shown(timeline)).toBe('block x');
  });

  it('reads an open row again when the session replaced it, and no other', async () => {
    const { timeline, session, host } = open(rows('a', 'b'));
    for (const line of timeline.lines) timeline.toggleDetail(line);
    await flush();
    host.asked.length = 0;

    const change = { revision: 2, splice: { at: 1, removed: 1, rows: [row('b', { tokens: 7 })] } };
    session.apply(change);
    timeline.refresh(change);

    expect(host.asked).toEqual(['read-row']);
  });

  it('comes back as it was saved, blocks within blocks included', async () => {
    const beneath = { 'strata:2': [blockRow('inner', 'strata:1'), row('y')], 'strata:1': rows('z') };
    const { timeline } = open([blockRow('block', 'strata:2'), row('b')], beneath);

    await timeline.restore({
      anchor: { kind: 'at', key: 'b', offset: 4 },
      expanded: ['block>inner', 'block', 'gone'],
      opened: ['block>y', 'gone'],
      activeKey: 'b',
      folded: [],
      filter: unfiltered,
      asWritten: false,
    });
    await flush();

    expect(shown(timeline)).toBe('block inner z y b');
    expect(timeline.saved).toEqual({
      anchor: { kind: 'at', key: 'b', offset: 4 },
      expanded: ['block', 'block>inner'],
      opened: ['block>y'],
      activeKey: 'b',
      folded: [],
      filter: unfiltered,
      asWritten: false,
    });
  });
});

describe('the filter', () => {
  const mixed = [
    row('u', { kind: 'user', turn: 1, preview: 'Fix the Loader' }),
    row('t', {
      kind: 'tool',
      preview: '',
      tool: { name: 'read', subject: 'src/loader.ts', outcome: 'ok', result: '', pruned: false },
    }),
    row('e', {
      kind: 'tool',
      preview: '',
      tool: { name: 'bash', subject: 'npm test', outcome: 'error', result: '1 failed', pruned: false },
    }),
  ];

  it.each([
    ['loader', 'all', 'u t'],
    ['loader fix', 'all', 'u'],
    ['', 'tools', 't e'],
    ['', 'assistant', ''],
    ['npm', 'turns', ''],
  ] as const)('lets through what says "%s" among %s', (text, selection, expected) => {
    const { timeline } = open(mixed);
    timeline.filter.isOpen = true;
    timeline.filter.text = text;
    timeline.filter.selection = selection;

    expect(shown(timeline)).toBe(expected);
  });

  it.each([
    [{ failedOnly: true }, 'e'],
    [{ tool: 'read' }, 't'],
    [{ tool: 'read', failedOnly: true }, ''],
    [{ pinnedOnly: true }, 'p'],
  ])('lets through what %j asks for', (wanted, expected) => {
    const { timeline } = open([...mixed, row('p', { pinned: ['goal'] })]);
    timeline.filter.isOpen = true;
    Object.assign(timeline.filter, wanted);

    expect(shown(timeline)).toBe(expected);
  });

  it('names the tools that were called', () => {
    const { timeline } = open(mixed);
    timeline.filter.isOpen = true;

    expect(timeline.tools).toEqual(['bash', 'read']);
  });

  it('shows everything again once it is cleared, and stays open', () => {
    const { timeline } = open(mixed);
    timeline.filter.isOpen = true;
    timeline.filter.text = 'npm';
    timeline.filter.failedOnly = true;

    timeline.filter.clear();

    expect(shown(timeline)).toBe('u t e');
    expect(timeline.filter.isOpen).toBe(true);
  });

  it('steps through what it found, and around at both ends', () => {
    const { timeline } = open(mixed);
    const steps = ([1, 1, -1, -1, -1] as const).map((step) => {
      timeline.step(step);
      return activeKey(timeline);
    });

    expect(steps).toEqual(['u', 't', 'u', 'e', 't']);
  });

  it('shows what it found in folded turns too', () => {
    const { timeline } = open(mixed);
    timeline.foldAll();
    timeline.filter.isOpen = true;
    timeline.filter.text = 'npm';

    expect(shown(timeline)).toBe('e');
  });

  it('filters nothing while it is closed', () => {
    const { timeline, session } = open(mixed);
    timeline.filter.text = 'loader';

    expect(timeline.rows).toBe(session.rows);
  });
});

describe('what a change takes from under the keyboard', () => {
  function change(of: ReturnType<typeof open>, at: number, removed: number, added: readonly Row[]) {
    void of.timeline.lines;
    const change = { revision: (of.session.view?.revision ?? 0) + 1, splice: { at, removed, rows: added } };
    of.session.apply(change);
    of.timeline.refresh(change);
    return of.timeline;
  }

  it.each([
    ['a block for rows', 2, 2, [row('block')], 'block'],
    ['a change that replaced more than it changed', 0, 5, [row('a'), row('b'), row('block'), row('e')], 'block'],
    ['nothing in the middle', 2, 2, [], 'e'],
    ['nothing at the end', 2, 3, [], 'b'],
  ])('leaves the keyboard and the place on screen there after %s', (_, at, removed, added, expected) => {
    const opened = open(rows('a', 'b', 'c', 'd', 'e'));
    opened.timeline.activeKey = 'd';
    opened.timeline.anchor = { kind: 'at', key: 'c', offset: 7 };

    const timeline = change(opened, at, removed, added);

    expect(activeKey(timeline)).toBe(expected);
    expect(timeline.anchor).toEqual({ kind: 'at', key: expected, offset: 0 });
  });

  it('follows a row that comes back from beneath its block', async () => {
    const opened = open([row('a'), blockRow('block', 'strata:1')], { 'strata:1': rows('x', 'y') });
    const [, block] = opened.timeline.lines;
    if (block) opened.timeline.toggleBeneath(block);
    await flush();
    opened.timeline.activeKey = 'block>y';

    expect(activeKey(change(opened, 1, 1, rows('x', 'y')))).toBe('y');
  });

  it('waits for earlier rows that have not come yet', () => {
    const opened = open(rows('d'));
    opened.timeline.activeKey = 'b';

    expect(activeKey(change(opened, 0, 0, rows('c')))).toBeUndefined();
    expect(activeKey(change(opened, 0, 0, rows('a', 'b')))).toBe('b');
  });

  it('leaves what is still there alone', () => {
    const opened = open(rows('a', 'b', 'c'));
    opened.timeline.activeKey = 'b';
    opened.timeline.anchor = { kind: 'at', key: 'b', offset: 7 };

    const timeline = change(opened, 0, 2, [row('b', { tokens: 7 })]);

    expect(activeKey(timeline)).toBe('b');
    expect(timeline.anchor).toEqual({ kind: 'at', key: 'b', offset: 7 });
  });
});

describe('turns that fold', () => {
  const user = (key: string, turn: number) => row(key, { kind: 'user', turn });
  const failed = { name: 'bash', subject: 'npm test', outcome: 'error', result: '1 failed', pruned: false } as const;
  const session = [
    row('s', { kind: 'system' }),
    user('u1', 1),
    row('a'),
    row('t', { tool: failed }),
    user('u2', 2),
    row('b'),
  ];

  it('are one line that says what it hides', () => {
    const { timeline } = open(session);
    const [, line] = timeline.lines;
    if (line) timeline.toggleFold(line);

    expect(shown(timeline)).toBe('s u1 u2 b');
    expect(timeline.turnAt(1)).toEqual({ isFolded: true, hidden: { rows: 2, tokens: 200, failed: 1, running: 0 } });
    expect(timeline.turnAt(0)).toBeNull();
    expect(timeline.turnAt(2)).toEqual({ isFolded: false, hidden: null });
  });

  it('fold and unfold together', () => {
    const { timeline } = open(session);

    timeline.foldAll();
    expect(shown(timeline)).toBe('s u1 u2');
    timeline.unfoldAll();
    expect(shown(timeline)).toBe('s u1 a t u2 b');
  });

  it('are folded with Left, from any of their rows in two steps, and unfolded with Right', () => {
    const { timeline } = open(session);
    timeline.activeKey = 't';

    timeline.press('ArrowLeft', 10);
    expect(activeKey(timeline)).toBe('u1');
    timeline.press('ArrowLeft', 10);
    expect(shown(timeline)).toBe('s u1 u2 b');
    timeline.press('ArrowLeft', 10);
    expect(shown(timeline)).toBe('s u1 u2 b');
    timeline.press('ArrowDown', 10);
    expect(activeKey(timeline)).toBe('u2');
    timeline.press('ArrowUp', 10);
    timeline.press('ArrowRight', 10);
    expect(shown(timeline)).toBe('s u1 a t u2 b');
  });

  it('take over the keyboard and the scroll position of the rows they hide', () => {
    const { timeline } = open(session);
    timeline.activeKey = 'a';
    timeline.anchor = { kind: 'at', key: 't', offset: 9 };

    timeline.foldAll();

    expect(activeKey(timeline)).toBe('u1');
    expect(timeline.anchor).toEqual({ kind: 'at', key: 'u1', offset: 0 });
  });

  it('stay folded while the session grows, and a new turn is open', () => {
    const { timeline, session: state } = open(session);
    timeline.foldAll();

    state.apply({ revision: 2, splice: { at: 6, removed: 0, rows: [row('c'), user('u3', 3), row('d')] } });

    expect(shown(timeline)).toBe('s u1 u2 u3 d');
  });

  it('are restored with the panel', async () => {
    const first = open(session).timeline;
    first.foldAll();
    const { timeline } = open(session);

    await timeline.restore(first.saved);

    expect(shown(timeline)).toBe('s u1 u2');
    expect(timeline.hasFolds).toBe(true);
  });

  it('are open if an earlier version saved the panel', async () => {
    const { timeline } = open(session);
    const { folded, filter, asWritten, ...older } = timeline.saved;
    expect([folded, filter, asWritten]).toEqual([[], unfiltered, false]);

    await timeline.restore(older as typeof timeline.saved);

    expect(shown(timeline)).toBe('s u1 a t u2 b');
  });

  it('have the newest one marked as live while the session is live', () => {
    const state = new SessionState();
    const shownView = view({ rows: session });
    state.open({ ...shownView, header: { ...shownView.header, live: true } });

    expect(new Timeline(state, testHost().request).liveKey).toBe('u2');
    expect(open(session).timeline.liveKey).toBeNull();
  });
});

describe('messages of sessions before this one', () => {
  const before = { file: '/sessions/zero.jsonl', title: null, isOriginal: false };

  function opened(predecessor: HeaderView['predecessor']) {
    const { session, timeline } = open(rows('a', 'b'), { earlier: rows('earlier↓x', 'earlier↓y') });
    const shownView = view({ rows: rows('a', 'b') });
    session.open({ ...shownView, header: { ...shownView.header, predecessor } });
    return timeline;
  }

  it('are read above the others with one click, outside the context, and hidden with another', async () => {
    const timeline = opened(before);
    expect(shown(timeline)).toBe('earlier a b');
    const [line] = timeline.lines;
    if (line === undefined) throw new Error('There is no line.');

    timeline.toggleDetail(line);
    await flush();
    expect(shown(timeline)).toBe('earlier earlier↓x earlier↓y a b');
    expect(timeline.lines.map(({ level }) => level)).toEqual([1, 2, 2, 1, 1]);

    timeline.toggleDetail(line);
    expect(shown(timeline)).toBe('earlier a b');
  });

  it('are not offered if the file before is not here, or the session is a fork of it', () => {
    expect(shown(opened({ ...before, file: null }))).toBe('a b');
    expect(shown(opened({ ...before, isOriginal: true }))).toBe('a b');
    expect(shown(opened(null))).toBe('a b');
  });
});
