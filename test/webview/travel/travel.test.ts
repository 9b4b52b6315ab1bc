import { describe, expect, it } from 'vitest';
import type { Caller } from '../../../extension/protocol/rpc';
import type { HistoryView, PastView } from '../../../extension/protocol/view';
import { SessionState } from '../../../webview/state/session.svelte';
import { type Future, Travel } from '../../../webview/state/travel/travel.svelte';
import { view } from '../builders/view';

const history: HistoryView = { points: [], marks: [], moments: [0, 2, 5, 5, 9], messages: 0 };

function pastAt(moment: number): PastView {
  return { moment, of: 5, at: history.moments[moment] ?? 0, turn: 1, time: null, after: 'message' };
}

/** A host that answers when the test says so. */
function travelWith(future: Future | null = null) {
  const session = new SessionState();
  const now = view({ revision: 1 });
  session.open(now);
  const asked: (number | null)[] = [];
  const waiting: (() => void)[] = [];
  const request = ((_method: string, { moment }: { moment: number | null }) => {
    asked.push(moment);
    return new Promise<null>((resolve) => {
      waiting.push(() => {
        const revision = (session.view?.revision ?? 0) + 1;
        session.apply({ revision, past: moment === null ? null : pastAt(moment) });
        resolve(null);
      });
    });
  }) as Caller['request'];
  const answer = async () => {
    waiting.shift()?.();
    await new Promise((resolve) => setTimeout(resolve, 0));
  };
  const travel = new Travel(session, request, { history: () => history, future: () => future });
  return { session, travel, asked, answer };
}

describe('moving through the moments of a session', () => {
  it('begins at now, which is the last moment', () => {
    const { travel } = travelWith();
    expect([travel.past, travel.position, travel.end]).toEqual([null, 4, 4]);
  });

  it('asks for the newest wish only while an answer is awaited', async () => {
    const { travel, asked, answer } = travelWith();
    for (const position of [3, 2, 1, 0]) travel.to(position);
    expect(asked).toEqual([3]);
    expect(travel.position).toBe(0);
    await answer();
    await answer();
    expect(asked).toEqual([3, 0]);
    expect(travel.past?.moment).toBe(0);
  });

  it('finds the newest moment at a place of the chart', async () => {
    const { travel, asked, answer } = travelWith();
    travel.toEntry(7.4);
    await answer();
    expect(asked).toEqual([3]);
    travel.toEntry(1);
    await answer();
    expect(asked).toEqual([3, 0]);
  });

  it('goes back to now', async () => {
    const { travel, asked, answer } = travelWith();
    travel.to(1);
    await answer();
    travel.toNow();
    await answer();
    expect(asked).toEqual([1, null]);
    expect([travel.past, travel.position]).toEqual([null, 4]);
  });

  it('has the preview after now, without leaving now', () => {
    const { travel } = travelWith({ tokens: 10 });
    expect(travel.end).toBe(5);
    travel.to(5);
    expect([travel.isFuture, travel.past, travel.position]).toEqual([true, null, 5]);
    expect(travel.places.at).toBe(travel.places.last);
    travel.toNow();
    expect(travel.isFuture).toBe(false);
  });

  it('does not make a preview out of date, if the context is the same afterwards', async () => {
    const { session, travel, answer } = travelWith();
    const before = session.contextRevision;
    travel.to(1);
    await answer();
    travel.toNow();
    await answer();
    expect(session.contextRevision).toBe(before);
  });
});
