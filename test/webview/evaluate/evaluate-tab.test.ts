import { describe, expect, it } from 'vitest';
import type { PanelStart } from '../../../extension/protocol/messages';
import { Panel } from '../../../webview/state/panel.svelte';
import { flush, noModel, rows, testHost, view } from '../builders/view';

const startOf = (fields: Partial<PanelStart> = {}): PanelStart => ({
  view: null,
  sessions: [],
  strategies: [],
  defaultStrategy: 'pipeline',
  summarizer: noModel,
  placement: 'editor',
  busy: null,
  opening: null,
  evaluation: { revision: 0, running: null },
  ...fields,
});

const session = view({ rows: rows('a', 'b') });
const another = { ...session, header: { ...session.header, file: '/sessions/another.jsonl' } };
const running = { label: 'Playing the quick tasks', done: 3, of: 50 };

async function started(
  start: Partial<PanelStart> = {},
  handlers: Parameters<typeof testHost>[0] = {},
  saved?: unknown,
) {
  const panel = new Panel(testHost({ start: async () => startOf(start), ...handlers }, saved));
  await panel.start();
  await flush();
  return panel;
}

describe('the Evaluate tab', () => {
  it('opens by command, with a session and without one', async () => {
    for (const start of [{}, { view: session }]) {
      const panel = await started(start);
      expect(panel.tabs.shown).toBe('timeline');
      panel.notifications.show({ what: 'evaluate' });
      expect(panel.tabs.shown).toBe('evaluate');
      expect(panel.picker.isOpen).toBe(false);
    }
  });

  it('is shown with the first frame if it was requested before', async () => {
    const panel = new Panel(testHost({ start: async () => startOf() }));
    panel.notifications.show({ what: 'evaluate-sessions' });
    await panel.start();
    expect(panel.tabs.shown).toBe('evaluate');
  });

  it('has the whole width; with other tabs the timeline is beside them', async () => {
    const panel = await started({ view: session });
    panel.tabs.isWide = true;
    expect([panel.tabs.isSplit, panel.tabs.all.includes('timeline')]).toEqual([true, false]);
    panel.tabs.select('evaluate');
    expect([panel.tabs.isSplit, panel.tabs.all.includes('timeline')]).toEqual([false, true]);
    panel.tabs.select('timeline');
    expect([panel.tabs.isSplit, panel.tabs.shown]).toEqual([true, 'compactions']);
  });

  it('makes room for a newly opened session, but not for a restored one', async () => {
    const panel = await started({ view: session });
    panel.tabs.select('evaluate');
    panel.notifications['session-opened']({ view: session });
    expect(panel.tabs.shown).toBe('evaluate');
    const { saved } = panel;
    panel.notifications['session-opened']({ view: another });
    expect(panel.tabs.shown).toBe('timeline');

    const reloaded = await started({}, {}, saved);
    reloaded.notifications['session-opened']({ view: session });
    expect(reloaded.tabs.shown).toBe('evaluate');
  });

  it('shows a run that was under way at its start, and its progress', async () => {
    const panel = await started({ evaluation: { revision: 2, running } });
    expect(panel.evaluation.running).toEqual(running);
    panel.notifications['evaluation-changed']({ state: { revision: 2, running: { ...running, done: 4 } } });
    expect(panel.evaluation.running?.done).toBe(4);
  });

  it('says why a run did not start', async () => {
    const refused = async () => {
      throw new Error('Wait until this is done.');
    };
    const panel = await started({}, { 'run-evaluation': refused });
    await panel.evaluation.act((acts) => acts.run('quick'));
    expect(panel.evaluation.failure).toBe('Wait until this is done.');
  });
});
