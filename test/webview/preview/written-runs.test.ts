import { describe, expect, it } from 'vitest';
import type { SummarizerView } from '../../../extension/protocol/view';
import { Comparison } from '../../../webview/state/preview/comparison.svelte';
import { writingCostText } from '../../../webview/state/preview/written-runs.svelte';
import { SessionState } from '../../../webview/state/session.svelte';
import { comparisonRow, deferred, flush, model, noModel, preview, rows, testHost, view } from '../builders/view';

const strategies = ['a', 'b'].map((name) => ({ name, group: 'tiers', title: name.toUpperCase(), description: '' }));
const cost = { maxInput: 59_500, output: 700, price: 'about $0.07' };
const spent = { input: 5_000, output: 400 };
const writtenRow = (strategy: string) =>
  comparisonRow(strategy, { previewId: `written ${strategy}`, summarizer: 'model-2', tokensSpent: spent });

async function compared(handlers: Parameters<typeof testHost>[0] = {}, summarizer: SummarizerView = model) {
  const session = new SessionState();
  session.open(view({ rows: rows('a') }));
  const host = testHost({
    'compare-strategy': async ({ strategy }) => comparisonRow(strategy),
    'writing-cost': async ({ strategy }) => (strategy === 'b' ? null : cost),
    'write-compared': async ({ strategy }) => writtenRow(strategy),
    'read-preview': async ({ id }) => preview(id),
    ...handlers,
  });
  const chosen = { summarizer };
  const comparison = new Comparison(session, host.request, () => chosen.summarizer);
  await comparison.start(strategies);
  await flush();
  return { session, host, comparison, written: comparison.written, chosen };
}

describe('a compared strategy that the chosen model writes', () => {
  it('says what it costs before it is asked for, if a model would be asked', async () => {
    const { written, host } = await compared();

    expect([written.costOf('a'), written.costOf('b')]).toEqual([{ kind: 'ready', value: cost }, null]);
    expect(host.asked).not.toContain('write-compared');
  });

  it('says what it costs if nothing is done without a model', async () => {
    const { written } = await compared({
      'compare-strategy': async ({ strategy }) => comparisonRow(strategy, { previewId: null }),
    });

    expect(written.costOf('a')).toEqual({ kind: 'ready', value: cost });
  });

  it('is not offered without a model, and asks for no cost', async () => {
    const { written, host } = await compared({}, noModel);
    await written.write('a');

    expect([written.costOf('a'), written.runOf('a')]).toEqual([null, null]);
    expect(host.asked).toEqual(['compare-strategy', 'compare-strategy']);
  });

  it('is shown beside the run without a model, with one call for it', async () => {
    const { comparison, written, host } = await compared();

    await written.write('a');
    expect(written.runOf('a')).toEqual({ writer: 'model-2', result: { kind: 'ready', value: writtenRow('a') } });

    await comparison.beside.openBoth(comparisonRow('a'), writtenRow('a'));
    expect(comparison.beside.columns?.map(({ preview }) => preview)).toEqual([
      { kind: 'ready', value: preview('preview of a') },
      { kind: 'ready', value: preview('written a') },
    ]);
    expect(host.asked.filter((method) => method === 'write-compared')).toHaveLength(1);
  });

  it('says why it failed', async () => {
    const { written } = await compared({
      'write-compared': async () => {
        throw new Error('You have not agreed');
      },
    });

    await written.write('a');

    expect(written.runOf('a')?.result).toEqual({ kind: 'failed', message: 'You have not agreed' });
  });

  it('is dropped if the comparison is stopped, and those written before it stay', async () => {
    const late = deferred<'write-compared'>();
    const { comparison, written } = await compared({
      'write-compared': async ({ strategy }) => (strategy === 'a' ? writtenRow('a') : late.promise),
    });
    await written.write('a');
    void written.write('b');
    expect([written.isWriting, comparison.isWorking, comparison.isRunning]).toEqual([true, true, false]);

    comparison.stop();
    late.resolve(writtenRow('b'));
    await flush();

    expect([written.isWriting, written.runOf('a')?.result.kind, written.runOf('b')]).toEqual([false, 'ready', null]);
  });

  it('stays when the same context is compared again, and goes when the context has changed', async () => {
    const { session, comparison, written } = await compared();
    await written.write('a');
    await comparison.start(strategies);
    expect(written.runOf('a')?.result.kind).toBe('ready');

    session.apply({ revision: 2, splice: { at: 1, removed: 0, rows: rows('b') } });
    await comparison.start(strategies);
    expect(written.runOf('a')).toBeNull();
  });

  it('has the price of the model that is chosen now', async () => {
    const prices = ['about $0.07', null];
    const { comparison, written, chosen } = await compared({
      'writing-cost': async ({ strategy }) => (strategy === 'a' ? { ...cost, price: prices.shift() ?? null } : null),
    });
    chosen.summarizer = { ...model, label: 'model-3' };
    comparison.readCosts();
    await flush();

    expect(written.costOf('a')).toEqual({ kind: 'ready', value: { ...cost, price: null } });
  });

  it('reads as tokens, with a price if it is known', () => {
    expect(writingCostText(cost)).toBe('up to 59.5k tokens read, about 700 written: about $0.07');
    expect(writingCostText({ ...cost, price: null })).toBe('up to 59.5k tokens read, about 700 written');
  });
});
