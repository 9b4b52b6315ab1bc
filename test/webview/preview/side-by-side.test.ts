import { describe, expect, it } from 'vitest';
import { SideBySide } from '../../../webview/state/preview/side-by-side.svelte';
import { comparisonRow, deferred, flush, preview, testHost } from '../builders/view';

const rows = ['a', 'b', 'c', 'd', 'e'].map((name) => comparisonRow(name));

function open() {
  const host = testHost({
    'read-preview': async ({ id }) => {
      if (id === 'preview of c') throw new Error('it is no longer there');
      return preview(id);
    },
  });
  return new SideBySide(host.request);
}

describe('strategies side by side', () => {
  it('are two to four that have something to do', () => {
    const beside = open();
    beside.toggle(comparisonRow('idle', { previewId: null }));
    const counts = rows.map((row) => {
      beside.toggle(row);
      return [beside.picked.length, beside.canOpen];
    });

    expect(counts).toEqual([
      [1, false],
      [2, true],
      [3, true],
      [4, true],
      [4, true],
    ]);
    for (const row of rows) if (beside.isPicked(row)) beside.toggle(row);
    expect(beside.picked).toEqual([]);
  });

  it('show their blocks, or why they cannot', async () => {
    const beside = open();
    for (const row of rows.slice(1, 3)) beside.toggle(row);

    const opening = beside.open();
    expect(beside.columns?.map(({ preview }) => preview.kind)).toEqual(['loading', 'loading']);
    await opening;

    expect(beside.columns?.map(({ preview }) => preview)).toEqual([
      { kind: 'ready', value: preview('preview of b') },
      { kind: 'failed', message: 'it is no longer there' },
    ]);
  });

  it('stay closed if an answer comes late', async () => {
    const late = deferred<'read-preview'>();
    const host = testHost({ 'read-preview': () => late.promise });
    const beside = new SideBySide(host.request);
    for (const row of rows.slice(0, 2)) beside.toggle(row);
    void beside.open();

    beside.close();
    late.resolve(preview('late'));
    await flush();

    expect([beside.columns, beside.picked.length]).toEqual([null, 2]);
  });
});
