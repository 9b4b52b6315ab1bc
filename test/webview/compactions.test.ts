import { describe, expect, it } from 'vitest';
import type { CompactionDetail, CompactionView } from '../../extension/protocol/view';
import { Compactions, compactionNumber, numberOfId } from '../../webview/state/compactions.svelte';
import { lossSummary, lossTotals } from '../../webview/state/loss';
import { SessionState } from '../../webview/state/session.svelte';
import { compaction, deferred, flush, testHost, view } from './builders/view';

const detailOf = (id: string): CompactionDetail => ({ id, before: 'before', after: 'after', loss: null });

function open(...compactions: readonly CompactionView[]) {
  const session = new SessionState();
  session.open(view({ compactions }));
  const host = testHost({ 'read-compaction': async ({ id }) => detailOf(id) });
  return { session, host, compactions: new Compactions(session, host.request) };
}

describe('the list of compactions', () => {
  it('has the newest first, undone ones included', () => {
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

  it('names each by its number', () => {
    expect(compactionNumber(compaction(3))).toBe('#3');
    expect(compactionNumber(compaction(3, { by: 'agent', seq: null }))).toBe('agent');
    expect([numberOfId('strata:5'), numberOfId('agent:x')]).toEqual(['#5', 'one of the agent']);
  });
});

describe('a loss report', () => {
  const item = (text: string) => ({ text, entryId: null });

  it('adds up over its groups', () => {
    const totals = lossTotals({
      groups: [
        { kind: 'file', kept: [item('a.ts')], lost: [item('b.ts')] },
        { kind: 'number', kept: [item('41'), item('7')], lost: [] },
      ],
    });

    expect(totals).toEqual({ kept: 3, lost: 1 });
  });

  it.each([
    [{ kept: 38, lost: 3 }, '38 of 41 names kept'],
    [{ kept: 4, lost: 0 }, 'all 4 names kept'],
    [{ kept: 0, lost: 0 }, 'no named things in what is replaced'],
  ])('says of %o: %s', (totals, said) => {
    expect(lossSummary(totals)).toBe(said);
  });
});
