import { describe, expect, it } from 'vitest';
import type { Row, RowDetail } from '../../extension/protocol/view';
import { SessionState } from '../../webview/state/session.svelte';
import { Timeline } from '../../webview/state/timeline.svelte';
import { blockRow, deferred, flush, row, rows, testHost, view } from './builders/view';

const detail = (text: string): RowDetail => ({
  sections: [{ label: '', text, cut: false, tone: 'plain' }],
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
      return found;
    },
    'read-row': async ({ key }) => detail(`text of ${key}`),
  });
  return { session, host, timeline: new Timeline(session, host.request) };
}

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

  it('shows the text of a block with Enter, which leaves what lies beneath alone', async () => {
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
  it('reads what lies beneath only when a block is opened', async () => {
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

    answer.resolve(rows('x'));
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
    });
    await flush();

    expect(shown(timeline)).toBe('block inner z y b');
    expect(timeline.saved).toEqual({
      anchor: { kind: 'at', key: 'b', offset: 4 },
      expanded: ['block', 'block>inner'],
      opened: ['block>y'],
      activeKey: 'b',
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
    ['', 'failed', 'e'],
    ['npm', 'turns', ''],
  ] as const)('lets through what says "%s" among %s', (text, selection, expected) => {
    const { timeline } = open(mixed);
    timeline.filter.isOpen = true;
    timeline.filter.text = text;
    timeline.filter.selection = selection;

    expect(shown(timeline)).toBe(expected);
  });

  it('filters nothing while it is closed', () => {
    const { timeline, session } = open(mixed);
    timeline.filter.text = 'loader';

    expect(timeline.rows).toBe(session.rows);
  });
});
