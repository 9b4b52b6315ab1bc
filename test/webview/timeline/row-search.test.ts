import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SessionState } from '../../../webview/state/session.svelte';
import { foundIn, fromFirstHit } from '../../../webview/state/timeline/filter.svelte';
import { RowSearch } from '../../../webview/state/timeline/row-search.svelte';
import { Timeline } from '../../../webview/state/timeline/timeline.svelte';
import { deferred, row, rows, testHost, view } from '../builders/view';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Answers with a key that names the request. */
function searching() {
  const asked: string[] = [];
  const search = new RowSearch(
    testHost({
      'find-rows': async ({ words }) => {
        asked.push(words);
        return { keys: [`${words} ${asked.length}`] };
      },
    }).request,
  );
  return { asked, search };
}

describe('the search in full texts', () => {
  it('asks once, after a pause in typing', async () => {
    const { asked, search } = searching();

    search.look(['lo']);
    await vi.advanceTimersByTimeAsync(200);
    search.look(['loader', 'fix']);
    await vi.advanceTimersByTimeAsync(249);
    expect([asked, search.isPending]).toEqual([[], true]);
    await vi.advanceTimersByTimeAsync(1);

    expect([asked, [...search.keys], search.isPending]).toEqual([['loader fix'], ['loader fix 1'], false]);
  });

  it('drops an answer to words that are no longer looked for', async () => {
    const answers = [deferred<'find-rows'>(), deferred<'find-rows'>()];
    let next = 0;
    const late = new Error('asked too often');
    const search = new RowSearch(
      testHost({ 'find-rows': () => answers[next++]?.promise ?? Promise.reject(late) }).request,
    );
    search.look(['old']);
    await vi.advanceTimersByTimeAsync(250);
    search.look(['new']);
    answers[0]?.resolve({ keys: ['old'] });
    await vi.advanceTimersByTimeAsync(250);
    expect([...search.keys]).toEqual([]);

    answers[1]?.resolve({ keys: ['new'] });
    await vi.advanceTimersByTimeAsync(0);
    expect([...search.keys]).toEqual(['new']);
  });

  it('asks again a second after the session changed, once for many changes, and keeps what it had until then', async () => {
    const { asked, search } = searching();
    search.look(['a']);
    await vi.advanceTimersByTimeAsync(250);

    search.lookAgain();
    await vi.advanceTimersByTimeAsync(600);
    search.lookAgain();
    expect([...search.keys]).toEqual(['a 1']);
    await vi.advanceTimersByTimeAsync(400);
    expect([...search.keys]).toEqual(['a 2']);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(asked).toEqual(['a', 'a']);
  });

  it('ends with the words', async () => {
    const { asked, search } = searching();
    search.look(['a']);
    await vi.advanceTimersByTimeAsync(250);
    search.look([]);
    search.lookAgain();
    await vi.advanceTimersByTimeAsync(5_000);

    expect([[...search.keys], asked, search.isPending]).toEqual([[], ['a'], false]);
  });

  it('says why it failed', async () => {
    const search = new RowSearch(
      testHost({ 'find-rows': async () => Promise.reject(new Error('no session')) }).request,
    );
    search.look(['a']);
    await vi.advanceTimersByTimeAsync(250);

    expect([search.failure, search.isPending]).toEqual(['no session', false]);
  });

  it('adds its rows to those that say the words where they show, as far as the filter lets them through', async () => {
    const session = new SessionState();
    session.open(view({ rows: [row('a', { kind: 'user', preview: 'loader' }), ...rows('b', 'c')] }));
    const timeline = new Timeline(session, testHost({ 'find-rows': async () => ({ keys: ['c'] }) }).request);
    const shown = () => timeline.lines.map(({ key }) => key).join(' ');
    timeline.filter.isOpen = true;
    timeline.filter.text = 'loader';
    timeline.search.look(timeline.filter.words);
    expect(shown()).toBe('a');

    await vi.advanceTimersByTimeAsync(250);
    expect(shown()).toBe('a c');

    timeline.filter.selection = 'turns';
    expect(shown()).toBe('a');
  });
});

describe('a text that was found', () => {
  const long = `${'word '.repeat(20)}needle ${'word '.repeat(20)}`;

  it('starts a little before the hit', () => {
    expect(fromFirstHit(long, ['needle'])).toMatch(/^…(word ){2,4}needle word/);
    expect(fromFirstHit(`${'x'.repeat(80)}needle`, ['absent', 'needle'])).toBe(`…${'x'.repeat(20)}needle`);
  });

  it('stays whole if the hit is near its beginning, or if there is no hit', () => {
    expect(fromFirstHit('a needle in a haystack', ['needle'])).toBe('a needle in a haystack');
    expect(fromFirstHit(long, ['absent'])).toBe(long);
    expect(fromFirstHit(long, [])).toBe(long);
  });

  it('is not cut within a character', () => {
    expect(fromFirstHit(`${'😀'.repeat(40)}xneedle`, ['needle']).isWellFormed()).toBe(true);
  });

  it('reads special characters literally', () => {
    expect(foundIn('a (b) c', ['(b)'])).toEqual([
      { text: 'a ', found: false },
      { text: '(b)', found: true },
      { text: ' c', found: false },
    ]);
  });
});
