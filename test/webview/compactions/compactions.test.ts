import { describe, expect, it } from 'vitest';
import type { CompactionDetail, CompactionView, LossView } from '../../../extension/protocol/view';
import {
  beneathText,
  compactionName,
  compactionNumber,
  inContextText,
  numberOfId,
} from '../../../webview/state/compactions/compaction-text';
import { Compactions } from '../../../webview/state/compactions/compactions.svelte';
import { SessionState } from '../../../webview/state/session.svelte';
import { lossGroups, lostTexts } from '../../../webview/state/shared/loss';
import { compaction, deferred, flush, runBlock, testHost, view } from '../builders/view';

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
  it('has the newest first, undone ones included', () => {
    const { compactions } = open(compaction(1), compaction(2, { active: false }), compaction(3));

    expect(compactions.list.map(({ seq }) => seq)).toEqual([3, 2, 1]);
  });

  it('reads the one that is opened, and closes it again', async () => {
    const { compactions } = open(compaction(1));

    compactions.toggle('run:1');
    expect(compactions.opened?.detail).toEqual({ kind: 'loading' });
    await flush();
    expect(compactions.opened?.detail).toEqual({ kind: 'ready', value: detailOf('run:1') });

    compactions.toggle('run:1');
    expect([compactions.selectedId, compactions.opened]).toEqual([null, null]);
  });

  it('shows the one that was opened last, whatever is answered first', async () => {
    const session = new SessionState();
    session.open(view({ compactions: [compaction(1), compaction(2)] }));
    const slow = deferred<'read-compaction'>();
    const host = testHost({
      'read-compaction': ({ id }) => (id === 'run:1' ? slow.promise : Promise.resolve(detailOf(id))),
    });
    const compactions = new Compactions(session, host.request);
    void compactions.select('run:1');
    await compactions.select('run:2');

    slow.resolve(detailOf('run:1'));
    await flush();

    expect(compactions.opened?.detail).toEqual({ kind: 'ready', value: detailOf('run:2') });
  });

  it('closes one that is no longer there', async () => {
    const { compactions } = open(compaction(1));
    await compactions.select('run:1');

    compactions.refresh({ revision: 2, compactions: [compaction(2)] });

    expect(compactions.selectedId).toBeNull();
  });

  it('gives a block another text, and reads what it then says', async () => {
    const { host, sent, compactions } = open(compaction(1));
    await compactions.select('run:1');
    compactions.opened?.repair.edit.open('after');
    compactions.opened?.repair.edit.type('better');

    await compactions.opened?.repair.edit.save();

    expect(sent).toEqual([{ id: 'strata:1', text: 'better', before: 'after' }]);
    expect(host.asked).toEqual(['read-compaction', 'edit-block', 'read-compaction']);
    expect(compactions.opened?.repair.edit.isOpen).toBe(false);
  });

  it('keeps what was typed while another one is looked at', async () => {
    const { compactions } = open(compaction(1), compaction(2));
    await compactions.select('run:1');
    compactions.opened?.repair.edit.open('after');
    compactions.opened?.repair.edit.type('half a sent');

    await compactions.select('run:2');
    expect(compactions.opened?.repair.edit.draft).toBeNull();
    await compactions.select('run:1');

    expect(compactions.opened?.repair.edit.draft).toBe('half a sent');
  });

  it('opens the run of a block with that block, and closes the block alone', async () => {
    const several = compaction(1, { blocks: [runBlock(1), runBlock(2)] });
    const { compactions } = open(several, compaction(7));

    await compactions.select('strata:2');
    expect([compactions.selectedId, compactions.openedBlock?.id]).toEqual(['run:1', 'strata:2']);
    compactions.toggleBlock('strata:2');
    expect([compactions.selectedId, compactions.openedBlock]).toEqual(['run:1', null]);

    await compactions.select('strata:7');
    expect([compactions.selectedId, compactions.openedBlock]).toEqual(['run:7', null]);
  });

  it('gives a block of a run another text, and reads the run again', async () => {
    const { host, sent, compactions } = open(compaction(1, { blocks: [runBlock(1), runBlock(2)] }));
    await compactions.select('strata:2');
    compactions.openedBlock?.repair.edit.open('after');
    compactions.openedBlock?.repair.edit.type('better');

    await compactions.openedBlock?.repair.edit.save();

    expect(sent).toEqual([{ id: 'strata:2', text: 'better', before: 'after' }]);
    expect(host.asked.slice(-2)).toEqual(['read-compaction', 'read-compaction']);
  });

  it('says what the context has of a run, and how many blocks are inside others', () => {
    expect(inContextText({ blocks: 2, outputs: 31, beneath: 10 })).toBe('2 blocks, 31 outputs in one line each');
    expect(inContextText({ blocks: 0, outputs: 1, beneath: 0 })).toBe('1 output in one line');
    expect(inContextText({ blocks: 0, outputs: 0, beneath: 3 })).toBeNull();
    expect(beneathText(10)).toBe('10 blocks inside other blocks, not read by the model');
  });

  it('names each by its number', () => {
    expect(compactionNumber(compaction(3))).toBe('#3');
    expect(compactionNumber(compaction(3, { by: 'agent', seq: null }))).toBe('agent');
    expect([numberOfId('run:5'), numberOfId('agent:x')]).toEqual(['#5', 'one of the agent']);
  });

  it('names each by the title of its strategy if that is still known', () => {
    const strategies = [{ name: 'tool-calls', group: 'tiers', title: 'Tool calls', description: '' }];
    const nameOf = (fields: Parameters<typeof compaction>[1]) =>
      compactionName(compaction(3, fields), 'pi', strategies);

    expect([
      nameOf({}),
      nameOf({ strategies: ['gone', 'tool-calls'] }),
      nameOf({ excludes: true }),
      nameOf({ by: 'agent', seq: null }),
    ]).toEqual(['#3 Tool calls', '#3 gone, Tool calls', '#3 Excluded', 'by pi']);
  });
});

describe('a loss report', () => {
  const item = (text: string) => ({ text, entryId: 'e1' });
  const loss: LossView = {
    text: '5 of 9 messages of the person are kept word for word',
    messages: { whole: 5, shortened: 1, gone: 3, listed: [{ ...item('do it'), fate: 'gone' }] },
    files: { named: 1, unnamed: 1, listed: [item('b.ts')] },
    open: { named: 1, unnamed: 0, listed: [] },
    outputs: { count: 2, tokens: 900, largest: [{ ...item('read a.ts'), tokens: 800 }] },
  };

  it('is shown by groups that are not empty, with the state of each item and the number of unlisted ones', () => {
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
