import { describe, expect, it } from 'vitest';
import type { PanelStart } from '../../extension/protocol/messages';
import type { RequestHandlers } from '../../extension/protocol/rpc';
import { Panel } from '../../webview/state/panel.svelte';
import { compaction, comparisonRow, flush, model, noModel, preview, rows, testHost, view } from './builders/view';

const strategies = [{ name: 'pipeline', group: 'tiers', title: 'Pipeline', description: '' }];

const startOf = (fields: Partial<PanelStart> = {}): PanelStart => ({
  view: view({ rows: rows('a', 'b') }),
  sessions: [],
  strategies,
  defaultStrategy: 'pipeline',
  summarizer: noModel,
  placement: 'view',
  busy: null,
  opening: null,
  evaluation: { revision: 0, running: null },
  ...fields,
});

async function started(handlers: Partial<RequestHandlers> = {}, saved?: unknown) {
  const host = testHost({ start: async () => startOf(), ...handlers }, saved);
  const panel = new Panel(host);
  await panel.start();
  await flush();
  return { panel, host };
}

const writers = [
  { id: 'command pi', label: 'pi (pi -p)', costs: 'uses your sign-in', goes: 'to its provider' },
  { id: 'none', label: 'No model', costs: 'costs nothing', goes: 'nowhere' },
];

describe('the panel', () => {
  it('paints what the host starts it with', async () => {
    const { panel } = await started();

    expect(panel.phase).toBe('started');
    expect(panel.session.rows.map(({ key }) => key)).toEqual(['a', 'b']);
    expect(panel.preview.strategy).toBe('pipeline');
  });

  it('says so when the host cannot start it, and tries again', async () => {
    let fails = true;
    const { panel } = await started({
      start: async () => {
        if (fails) throw new Error('no journal');
        return startOf({ view: view({ rows: rows('a', 'b') }) });
      },
    });
    expect([panel.phase, panel.failure]).toEqual(['failed', 'Strata could not start: no journal']);

    fails = false;
    panel.tryAgain();
    await flush();
    expect([panel.phase, panel.failure, panel.session.rows.length]).toEqual(['started', null, 2]);
  });

  it('says what was not done, and why', async () => {
    const { panel } = await started({
      'exclude-row': async () => {
        throw new Error('no journal');
      },
    });
    await panel.actions.excludeRow('a');

    expect(panel.notices.list).toMatchObject([{ tone: 'error', text: 'The row was not excluded: no journal' }]);
  });

  it('shows the two notices of a session, and of more the most urgent', async () => {
    const notices = (['core-large', 'many-compactions', 'auto-compact-stopped'] as const).map((kind) => ({
      kind,
      text: kind,
    }));
    const { panel } = await started({ start: async () => startOf({ view: view({ notices }) }) });
    const shown = () => panel.sessionNotices.shown.map(({ kind }) => kind);

    expect([shown(), panel.sessionNotices.more]).toEqual([['auto-compact-stopped'], 2]);
    panel.sessionNotices.toggleAll();
    expect([shown().length, panel.sessionNotices.more]).toEqual([3, 0]);
    panel.sessionNotices.dismiss('auto-compact-stopped');
    expect([shown(), panel.sessionNotices.showsAll]).toEqual([['core-large', 'many-compactions'], false]);
    panel.tabs.isSlim = true;
    panel.sessionNotices.toggleAll();
    expect([shown(), panel.sessionNotices.more]).toEqual([['many-compactions'], 1]);
  });

  it('reads the whole view again when it missed a change, and keeps what is open', async () => {
    let starts = 0;
    const { panel } = await started({
      start: async () => {
        starts += 1;
        return startOf({ view: view({ revision: starts === 1 ? 1 : 8, rows: rows('a', `start ${starts}`) }) });
      },
      'read-row': async () => ({ sections: [], images: [], origin: null, entryId: null }),
    });
    const [line] = panel.timeline.lines;
    if (line) panel.timeline.toggleDetail(line);
    await flush();

    panel.notifications['session-changed']({ change: { revision: 7 } });
    panel.notifications['session-changed']({ change: { revision: 8 } });
    await flush();

    expect(starts).toBe(2);
    expect(panel.session.rows.map(({ key }) => key)).toEqual(['a', 'start 2']);
    expect(panel.timeline.saved.opened).toEqual(['a']);
  });

  it('reads the view again when a change overtook it on the way', async () => {
    const answers = [1, 2].map((revision) => startOf({ view: view({ revision, rows: rows(`revision ${revision}`) }) }));
    const host = testHost({ start: async () => answers.shift() ?? startOf() });
    const panel = new Panel(host);
    const starting = panel.start();
    panel.notifications['session-changed']({ change: { revision: 2 } });

    await starting;
    await flush();

    expect(panel.session.rows.map(({ key }) => key)).toEqual(['revision 2']);
  });

  it('forgets what was open when another session opens, and not when the same one does', async () => {
    const { panel } = await started({
      'read-compaction': async ({ id }) => ({
        id,
        before: '',
        after: '',
        loss: null,
        fates: [],
        editable: null,
        rescue: null,
        rereading: null,
        hasEarlierText: false,
      }),
    });
    await panel.compactions.select('run:1');

    panel.notifications['session-opened']({ view: view({ compactions: [compaction(1)] }) });
    expect(panel.compactions.selectedId).toBe('run:1');

    const other = view({ header: { ...view().header, file: '/sessions/two.jsonl' } });
    panel.notifications['session-opened']({ view: other });
    expect(panel.compactions.selectedId).toBeNull();
  });

  it('comes back as it was saved when it shows the same session', async () => {
    const handlers: Partial<RequestHandlers> = {
      'read-compaction': async ({ id }) => ({
        id,
        before: '',
        after: '',
        loss: null,
        fates: [],
        editable: null,
        rescue: null,
        rereading: null,
        hasEarlierText: false,
      }),
    };
    const first = await started(handlers);
    first.panel.tabs.select('core');
    first.panel.gaugeShown = false;
    first.panel.timeline.anchor = { kind: 'at', key: 'a', offset: 3 };
    first.panel.pinning.open({ kind: 'goal', text: 'half a thought' });
    await first.panel.compactions.select('run:1');
    first.panel.save(first.panel.saved);

    const second = await started(handlers, structuredClone(first.host.saved));

    expect(second.panel.tabs.shown).toBe('core');
    expect(second.panel.gaugeShown).toBe(false);
    expect(second.panel.timeline.anchor).toEqual({ kind: 'at', key: 'a', offset: 3 });
    expect(second.panel.pinForm.draft).toEqual({ kind: 'goal', text: 'half a thought', rowKey: null });
    expect(second.panel.compactions.opened?.detail.kind).toBe('ready');
  });

  it('drops what was saved of another session', async () => {
    const first = await started();
    first.panel.timeline.anchor = { kind: 'at', key: 'a', offset: 3 };
    first.panel.save(first.panel.saved);
    const other = view({ header: { ...view().header, file: '/sessions/two.jsonl' } });

    const second = await started({ start: async () => startOf({ view: other }) }, first.host.saved);

    expect(second.panel.timeline.anchor).toEqual({ kind: 'newest' });
  });

  it('saves nothing before its first frame', () => {
    const host = testHost({}, 'what was saved');
    const panel = new Panel(host);

    panel.save(panel.saved);

    expect(host.saved).toBe('what was saved');
  });

  it('has no timeline among the tabs if there is room beside them', async () => {
    const { panel } = await started();
    expect([panel.tabs.all, panel.tabs.shown]).toEqual([['timeline', 'compactions', 'core', 'evaluate'], 'timeline']);

    panel.tabs.isWide = true;
    expect([panel.tabs.all, panel.tabs.shown]).toEqual([['compactions', 'core', 'evaluate'], 'compactions']);
  });

  it('shows what a command of the palette asks for', async () => {
    const { panel } = await started({ 'list-sessions': async () => [] });

    panel.notifications.show({ what: 'pin-decision' });
    expect([panel.tabs.shown, panel.pinForm.isOpen, panel.pinForm.kind]).toEqual(['core', true, 'decision']);
    panel.notifications.show({ what: 'compactions' });
    expect(panel.tabs.shown).toBe('compactions');
    panel.notifications.show({ what: 'sessions' });
    expect(panel.picker.isOpen).toBe(true);
  });

  it('shows what was asked for before its first frame, and the way to a session where none is open', async () => {
    const early = new Panel(testHost({ start: async () => startOf() }));
    const starting = early.start();
    early.notifications.show({ what: 'core' });
    await starting;
    expect(early.tabs.shown).toBe('core');

    const { panel } = await started({ start: async () => startOf({ view: null }), 'list-sessions': async () => [] });
    panel.notifications.show({ what: 'compact' });
    expect([panel.preview.isOpen, panel.picker.isOpen]).toEqual([false, true]);
  });

  it('opens the preview as a tab and leaves it once it was applied', async () => {
    const { panel } = await started({
      'preview-compaction': async () => preview('p'),
      'apply-preview': async () => null,
    });

    panel.previews.open();
    await flush();
    expect([panel.tabs.shown, panel.preview.canApply]).toEqual(['preview', true]);

    await panel.applyPreview();
    expect([panel.tabs.shown, panel.preview.isOpen]).toEqual(['timeline', false]);
  });

  it('tells the host to stop when a preview is closed that is still worked on', async () => {
    const { panel, host } = await started({
      'preview-compaction': () => new Promise(() => undefined),
      'cancel-compaction': async () => null,
    });
    panel.previews.open();

    panel.previews.close();
    await flush();

    expect(host.asked).toContain('cancel-compaction');
    expect(panel.preview.isOpen).toBe(false);
  });

  it('goes back to where the pin form was opened from', async () => {
    const { panel } = await started({ pin: async () => null });
    panel.tabs.select('compactions');
    panel.pinning.open({ text: 'keep this' });
    expect(panel.tabs.shown).toBe('core');

    await panel.pinning.submit();

    expect(panel.tabs.shown).toBe('compactions');
    expect(panel.notices.list).toMatchObject([{ tone: 'news' }]);
  });

  it('shows issues again when new ones come after they were dismissed', async () => {
    const issue = (line: number) => ({ file: '/sessions/one.jsonl', line, message: 'torn' });
    const { panel } = await started({
      start: async () => startOf({ view: view({ header: { ...view().header, issues: [issue(1)] } }) }),
    });
    panel.dismissIssues();
    expect(panel.issues).toEqual([]);

    panel.notifications['session-changed']({
      change: { revision: 2, header: { ...view().header, issues: [issue(1), issue(2)] } },
    });

    expect(panel.issues).toEqual([issue(2)]);
  });

  it('shows a failed action as a notice, once, until it is dismissed', async () => {
    const { panel } = await started();

    await panel.actions.undo();
    await panel.actions.undo();

    expect(panel.notices.list).toMatchObject([
      { tone: 'error', text: 'The compaction was not undone: The test host does not answer undo' },
    ]);
    panel.notices.dismiss(panel.notices.list[0]?.id ?? 0);
    expect(panel.notices.list).toEqual([]);
  });

  it('compares when a command asks for it, and keeps what it found until it is asked again', async () => {
    const { panel, host } = await started({ 'compare-strategy': async ({ strategy }) => comparisonRow(strategy) });

    panel.notifications.show({ what: 'compare' });
    await flush();
    expect([panel.tabs.shown, panel.previews.mode, panel.comparison.phase]).toEqual(['preview', 'compare', 'done']);

    panel.tabs.select('core');
    panel.previews.openComparison();
    expect(host.asked.filter((method) => method === 'compare-strategy')).toHaveLength(strategies.length);
  });

  it('goes from a compared strategy to its whole preview', async () => {
    const { panel } = await started({
      'compare-strategy': async ({ strategy }) => comparisonRow(strategy),
      'read-preview': async ({ id }) => preview(id),
    });
    panel.previews.openComparison();
    await flush();

    panel.previews.openCompared(comparisonRow('pipeline', { previewId: 'p9' }));
    await flush();

    expect([panel.previews.mode, panel.preview.shown?.id, panel.preview.canApply]).toEqual(['one', 'p9', true]);
  });

  it('does not ask for a preview while strategies are compared', async () => {
    const { panel, host } = await started({ 'compare-strategy': () => new Promise(() => undefined) });
    panel.previews.openComparison();

    panel.previews.open();

    expect(panel.preview.isOpen).toBe(true);
    expect(host.asked).not.toContain('preview-compaction');
  });

  it('says what runs in its header, unless the tab on screen says it', async () => {
    const { panel } = await started({ 'compare-strategy': () => new Promise(() => undefined) });
    const busy = { label: 'Summarizing', cancellable: true, progress: { done: 1, of: 2, text: '' } };
    panel.notifications['busy-changed']({ busy });
    expect(panel.previews.busyElsewhere).toEqual(busy);

    panel.previews.openComparison();
    expect(panel.previews.busyElsewhere).toBeNull();

    panel.notifications['busy-changed']({ busy: null });
    expect(panel.isBusy).toBe(true);

    panel.tabs.select('core');
    expect(panel.previews.busyElsewhere?.label).toBe('Comparing strategies: 0 of 1');
  });

  it('forgets the comparison of a session when another one opens', async () => {
    const { panel } = await started({ 'compare-strategy': async ({ strategy }) => comparisonRow(strategy) });
    panel.previews.openComparison();
    await flush();

    panel.notifications['session-opened']({
      view: view({ header: { ...view().header, file: '/sessions/two.jsonl' } }),
    });

    expect([panel.comparison.phase, panel.comparison.lines]).toEqual(['idle', []]);
  });

  it('learns which summarizer writes', async () => {
    const { panel } = await started();
    expect(panel.preview.summarizer).toEqual(noModel);

    panel.notifications['summarizer-changed']({ summarizer: model });
    expect(panel.preview.summarizer).toEqual(model);
  });

  it.each([
    [2, '2 proposals added. Accept or refuse each.'],
    [1, '1 proposal added. Accept or refuse each.'],
    [0, 'Nothing new was found to propose.'],
  ])('says that it found %d proposals', async (added, text) => {
    const { panel } = await started({ 'propose-core': async () => ({ added }) });

    await panel.proposals.find();

    expect(panel.notices.list).toMatchObject([{ tone: 'news', text }]);
    expect(panel.proposals.search.isRunning).toBe(false);
  });

  it('keeps a notice away that was dismissed, until its reason went and came back', async () => {
    const soon = { kind: 'auto-compact-soon', text: 'Compacts by itself in 12k tokens.' } as const;
    const { panel } = await started({ start: async () => startOf({ view: view({ notices: [soon] }) }) });
    const change = (revision: number, notices: readonly (typeof soon)[]) =>
      panel.notifications['session-changed']({ change: { revision, notices } });
    const shown = () => panel.sessionNotices.list.length;
    expect(shown()).toBe(1);

    panel.sessionNotices.dismiss('auto-compact-soon');
    change(2, [soon]);
    expect(shown()).toBe(0);

    change(3, []);
    change(4, [soon]);
    expect(shown()).toBe(1);
  });

  it('asks once who writes, with the first answer chosen beforehand', async () => {
    const { panel } = await started({
      start: async () => startOf({ summarizer: { ...noModel, isChosen: false } }),
      'read-writers': async () => writers,
      'answer-writer': async () => ({ isAnswered: true }),
    });
    expect(panel.writerQuestion.isDue).toBe(true);
    await panel.writerQuestion.read();
    expect(panel.writerQuestion.picked).toBe('command pi');

    expect(await panel.writerQuestion.answer()).toBe(true);
    panel.notifications['summarizer-changed']({ summarizer: model });
    expect(panel.writerQuestion.isDue).toBe(false);
  });

  it('gives the answer that the person picked, and stays a question if they cancelled', async () => {
    const given: string[] = [];
    const { panel } = await started({
      start: async () => startOf({ summarizer: { ...noModel, isChosen: false } }),
      'read-writers': async () => writers,
      'answer-writer': async ({ id }) => {
        given.push(id);
        return { isAnswered: false };
      },
    });
    await panel.writerQuestion.read();
    panel.writerQuestion.pick('none');

    expect(await panel.writerQuestion.answer()).toBe(false);
    expect(given).toEqual(['none']);
    expect(panel.writerQuestion.isDue).toBe(true);
  });

  it('does not ask who writes where the person said so', async () => {
    const { panel } = await started({});
    expect(panel.writerQuestion.isDue).toBe(false);
  });
});
