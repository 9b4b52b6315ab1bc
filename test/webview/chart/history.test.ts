import { describe, expect, it } from 'vitest';
import type { HistoryView } from '../../../extension/protocol/view';
import { History } from '../../../webview/state/chart/history.svelte';
import { deferred, flush, testHost } from '../builders/view';

const historyOf = (messages: number): HistoryView => ({ points: [], marks: [], moments: [], messages });

/** A host that counts its answers, and a delay that the test ends. */
function open() {
  let answers = 0;
  const host = testHost({
    'read-history': async () => {
      answers += 1;
      return historyOf(answers);
    },
  });
  const pauses: (() => void)[] = [];
  const history = new History(host.request, () => new Promise((resolve) => pauses.push(resolve)));
  return { host, history, endPause: () => pauses.shift()?.() };
}

describe('the history of the chart', () => {
  it('is read once for all changes within one pause', async () => {
    const { host, history, endPause } = open();
    void history.want('at first');
    await flush();
    expect(history.view).toEqual(historyOf(1));

    for (let change = 0; change < 5; change += 1) void history.want(`change ${change}`);
    await flush();
    expect(host.asked).toHaveLength(1);

    endPause();
    await flush();
    expect([host.asked.length, history.view]).toEqual([2, historyOf(2)]);

    endPause();
    await flush();
    expect(host.asked).toHaveLength(2);
  });

  it('is read again after the pause if the session has changed', async () => {
    const { host, history, endPause } = open();
    void history.want('at first');
    await flush();
    endPause();
    await flush();

    void history.want('at first');
    await flush();
    expect(host.asked).toHaveLength(1);

    void history.want('later');
    await flush();
    expect(host.asked).toHaveLength(2);
  });

  it('is read for a session that was opened while another one was read', async () => {
    const { history, endPause } = open();
    void history.want('one');
    history.reset();
    void history.want('two');
    await flush();
    expect(history.shown).toBeNull();

    endPause();
    await flush();

    expect(history.view).toEqual(historyOf(2));
  });

  it('drops the answer about a session that was closed', async () => {
    const answer = deferred<'read-history'>();
    const host = testHost({ 'read-history': () => answer.promise });
    const history = new History(host.request, () => Promise.resolve());
    void history.want('one');

    history.reset();
    answer.resolve(historyOf(3));
    await flush();

    expect(history.shown).toBeNull();
  });

  it('says why there is none', async () => {
    const host = testHost({ 'read-history': () => Promise.reject(new Error('the file is gone')) });
    const history = new History(host.request, () => Promise.resolve());

    await history.want('one');
    expect(history.shown).toEqual({ kind: 'failed', message: 'the file is gone' });

    history.retry();
    expect(host.asked).toHaveLength(2);
  });
});
