import { describe, expect, it } from 'vitest';
import { SessionState } from '../../../webview/state/session.svelte';
import { Timeline } from '../../../webview/state/timeline/timeline.svelte';
import { type ScrollableList, TimelineScroll } from '../../../webview/state/timeline/timeline-scroll.svelte';
import { rows, testHost, view } from '../builders/view';

const lineHeight = 20;
const viewHeight = 100;

/** Ten empty pixels, then lines of equal height. */
class FakeList implements ScrollableList {
  offset = 0;
  constructor(readonly timeline: Timeline) {}
  getScrollOffset = () => this.offset;
  getScrollSize = () => this.timeline.lines.length * lineHeight;
  getViewportSize = () => viewHeight;
  findItemIndex = (offset: number) => Math.min(this.timeline.lines.length - 1, Math.floor(offset / lineHeight));
  getItemOffset = (index: number) => index * lineHeight;
  getItemSize = () => lineHeight;
  scrollBy = (distance: number) => this.moveTo(this.offset + distance);
  scrollToIndex: ScrollableList['scrollToIndex'] = (index, { align, offset = 0 } = {}) => {
    const top = index * lineHeight + offset;
    this.moveTo(align === 'end' ? top + lineHeight - viewHeight : top);
  };
  moveTo(offset: number): void {
    this.offset = Math.max(0, Math.min(offset, this.getScrollSize() - viewHeight));
  }
}

const names = (count: number, prefix = 'r') => Array.from({ length: count }, (_, index) => `${prefix}${index}`);

function open(count: number) {
  const session = new SessionState();
  session.open(view({ rows: rows(...names(count)) }));
  const timeline = new Timeline(session, testHost().request);
  const scroll = new TimelineScroll(timeline);
  const list = new FakeList(timeline);
  scroll.list = list;
  scroll.hold();
  const change = (at: number, removed: number, keys: readonly string[]) => {
    const revision = (session.view?.revision ?? 0) + 1;
    session.apply({ revision, splice: { at, removed, rows: rows(...keys) } });
    scroll.hold();
  };
  const topKey = () => timeline.lines[list.findItemIndex(list.offset)]?.key;
  return { timeline, scroll, list, change, topKey };
}

describe('where the timeline stands', () => {
  it('begins at the newest row', () => {
    const { list, timeline } = open(20);

    expect(list.offset).toBe(300);
    expect(timeline.anchor).toEqual({ kind: 'newest' });
  });

  it('follows the newest row while the session grows', () => {
    const { list, change } = open(20);

    change(20, 0, ['new']);

    expect(list.offset).toBe(320);
  });

  it('stays where a person scrolled to, and follows again once they are back at the end', () => {
    const { list, scroll, change, timeline } = open(20);
    list.moveTo(110);
    scroll.measure();
    expect(timeline.anchor).toEqual({ kind: 'at', key: 'r5', offset: 10 });

    change(20, 0, ['new']);
    expect(list.offset).toBe(110);

    list.moveTo(320);
    scroll.measure();
    expect(timeline.anchor).toEqual({ kind: 'newest' });
  });

  it('does not count as scrolled up if rows disappear', () => {
    const { change, timeline, list } = open(40);

    change(0, 30, ['block']);

    expect(timeline.anchor).toEqual({ kind: 'newest' });
    expect(list.offset).toBe(11 * lineHeight - viewHeight);
  });

  it('keeps the first visible row in its place when rows above it are compacted', () => {
    const { list, scroll, change, topKey } = open(40);
    list.moveTo(405);
    scroll.measure();

    change(2, 10, ['block']);

    expect(topKey()).toBe('r20');
    expect(list.offset).toBe(225);
  });

  it('waits for a row that is not there yet', () => {
    const { timeline, scroll, list, change } = open(0);
    timeline.anchor = { kind: 'at', key: 'late', offset: 5 };

    change(0, 0, names(20));
    scroll.resized();
    expect(timeline.anchor).toEqual({ kind: 'at', key: 'late', offset: 5 });

    change(10, 0, ['late']);
    expect(list.offset).toBe(205);
  });

  it('stays at a row that is opened at the end', () => {
    const { scroll, list, change } = open(20);
    scroll.stayHere();

    change(18, 0, ['beneath 1', 'beneath 2']);

    expect(list.offset).toBe(300);
  });

  it('scrolls no further than needed to reveal a line', () => {
    const { scroll, list } = open(20);
    list.moveTo(100);

    scroll.reveal(6);
    expect(list.offset).toBe(100);
    scroll.reveal(10);
    expect(list.offset).toBe(120);
    scroll.reveal(2);
    expect(list.offset).toBe(40);
  });

  it('shows the beginning of what is too tall to show', () => {
    const { scroll, list } = open(20);
    list.moveTo(100);

    scroll.reveal(7, 19);

    expect(list.offset).toBe(140);
  });
});
