import { describe, expect, it } from 'vitest';
import type { CompactionDetail, CompactionView, LossView } from '../../../extension/protocol/view';
import { compactionName, compactionNumber, numberOfId } from '../../../webview/state/compactions/compaction-text';
import { Compactions } from '../../../webview/state/compactions/compactions.svelte';
import { SessionState } from '../../../webview/state/session.svelte';
import { lossGroups, lostTexts } from '../../../webview/state/shared/loss';
import { compaction, deferred, flush, testHost, view } from '../builders/view';

const detailOf = (id: string): CompactionDetail => ({
  id,
  before: 'before',
  after: 'after',
  loss: null,
  hasEarlierText: false,
  fates: [],
  editable: 'after',
  rescue: null,
  rereading: null,
});

function open(...compactions: readonly CompactionView[]) {
  const session = new SessionState();
  session.open(view({ compactions }));
  const sent: unknown[] = [];
  const host = testHost({
    'read-compaction': async ({ id }) => detailOf(id),
    'edit-block': async (params) => {
      sent.push(params);
      return null;
    },
  });
  return { session, host, sent, compactions: new Compactions(session, host.request) };
}

describe('the list of compactions', () => {
  it('the list of compactions has the newest first, undone ones included', () => {
    const { compactions } = open(compaction(1), compaction(2, { active: false }), compaction(3));

    expect(compactions.list.map(({ seq }) => seq)).toEqual([3, 2, 1]);
  });

  it('reads the one that is opened, and closes it again', async () => {
    const { compactions } = open(compaction(1));

    compactions.toggle('strata:1');
    expect(compactions.detail).toEqual({ kind: 'loading' });
    await flush();
    expect(compactions.detail).toEqual({ kind: 'ready', value: detailOf('strata:1') });

    compactions.toggle('strata:1');
    expect([compactions.selectedId, compactions.detail]).toEqual([null, null]);
  });

  it('shows the one that was opened last, whatever is answered first', async () => {
    const session = new SessionState();
    session.open(view({ compactions: [compaction(1), compaction(2)] }));
    const slow = deferred<'read-compaction'>();
    const host = testHost({
      'read-compaction': ({ id }) => (id === 'strata:1' ? slow.promise : Promise.resolve(detailOf(id))),
    });
    const compactions = new Compactions(session, host.request);
    void compactions.select('strata:1');
    await compactions.select('strata:2');

    slow.resolve(detailOf('strata:1'));
    await flush();

    expect(compactions.detail).toEqual({ kind: 'ready', value: detailOf('strata:2') });
  });

  it('closes one that is no longer there', async () => {
    const { compactions } = open(compaction(1));
    await compactions.select('strata:1');

    compactions.refresh({ revision: 2, compactions: [compaction(2)] });

    expect(compactions.selectedId).toBeNull();
  });

  it('gives a block another text, and reads what it then says', async () => {
    const { host, sent, compactions } = open(compaction(1));
    await compactions.select('strata:1');
    compactions.repair?.edit.open('after');
    compactions.repair?.edit.type('better');

    await compactions.repair?.edit.save();

    expect(sent).toEqual([{ id: 'strata:1', text: 'better', before: 'after' }]);
    expect(host.asked).toEqual(['read-compaction', 'edit-block', 'read-compaction']);
    expect(compactions.repair?.edit.isOpen).toBe(false);
  });

  it('keeps what was typed while another one is looked at', async () => {
    const { compactions } = open(compaction(1), compaction(2));
    await compactions.select('strata:1');
    compactions.repair?.edit.open('after');
    compactions.repair?.edit.type('half a sent');

    await compactions.select('strata:2');
    expect(compactions.repair?.edit.draft).toBeNull();
    await compactions.select('strata:1');

    expect(compactions.repair?.edit.draft).toBe('half a sent');
  });

  it('names each by its number', () => {
    expect(compactionNumber(compaction(3))).toBe('#3');
    expect(compactionNumber(compaction(3, { by: 'agent', seq: null }))).toBe('agent');
    expect([numberOfId('strata:5'), numberOfId('agent:x')]).toEqual(['#5', 'one of the agent']);
  });

  it('names each by the title of its strategy where that is still known', () => {
    const strategies = [{ name: 'tool-calls', group: 'tiers', title: 'Tool calls', description: '' }];
    const nameOf = (fields: Parameters<typeof compaction>[1]) =>
      compactionName(compaction(3, fields), 'pi', strategies);

    expect([
      nameOf({}),
      nameOf({ strategy: 'gone' }),
      nameOf({ excludes: true }),
      nameOf({ by: 'agent', seq: null }),
    ]).toEqual(['#3 Tool calls', '#3 gone', '#3 Excluded', 'by pi']);
  });
});

describe('a loss report', () => {
  const item = (text: string) => ({ text, entryId: 'e1' });
  const loss: LossView = {
    text: '5 of 9 messages of the person stand word for word',
    messages: { whole: 5, shortened: 1, gone: 3, listed: [{ ...item('do it'), fate: 'gone' }] },
    files: { named: 1, unnamed: 1, listed: [item('b.ts')] },
    open: { named: 1, unnamed: 0, listed: [] },
    outputs: { count: 2, tokens: 900, largest: [{ ...item('read a.ts'), tokens: 800 }] },
  };

  it('is shown by groups that have something, with how each item stands and how many are not listed', () => {
    expect(
      lossGroups(loss).map(({ kind, items, unlisted }) => [kind, items.map(({ note }) => note), unlisted]),
    ).toEqual([
      ['messages', ['not word for word'], 3],
      ['files', ['not named'], 0],
      ['outputs', ['800'], 0],
    ]);
  });

  it('lists what can be put back, group by group, and no output', () => {
    expect(lostTexts(loss)).toEqual(['do it', 'b.ts']);
  });
});
