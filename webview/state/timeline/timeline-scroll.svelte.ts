import type { VirtualizerHandle } from 'virtua/svelte';
import { lastRowOf, lineIndexOf, rowIndexOf } from './outline';
import type { Timeline } from './timeline.svelte';

/** The virtual list; positions are pixels from the first line. */
export type ScrollableList = Omit<VirtualizerHandle, 'getCache' | 'scrollTo'>;

/** Distance from the end in pixels that still counts as being at the end. */
const endTolerance = 8;

/** Scroll position of the timeline: follows the newest row until the user scrolls away, then keeps its position. */
export class TimelineScroll {
  list: ScrollableList | undefined;
  /** The first and the last line on screen. */
  visible = $state.raw({ first: 0, last: 0 });
  /** Values of the last measurement: moving up although nothing shrank means that the user left the end. */
  #lastOffset = 0;
  #lastSize = 0;
  #lastHeight = 0;

  constructor(private readonly timeline: Timeline) {}

  readonly visibleRows = $derived.by(() => ({
    first: rowIndexOf(this.timeline.outline, this.visible.first),
    last: lastRowOf(this.timeline.outline, this.visible.last),
  }));
  readonly pageSize = $derived(Math.max(1, this.visible.last - this.visible.first - 1));

  /** Call on every scroll event. */
  measure = (): void => {
    const { list } = this;
    if (!list || this.timeline.lines.length === 0) return;
    const offset = list.getScrollOffset();
    const size = list.getScrollSize();
    const height = list.getViewportSize();
    const first = list.findItemIndex(offset);
    this.visible = { first, last: list.findItemIndex(offset + height) };
    const movedUp = offset < this.#lastOffset && size >= this.#lastSize;
    // Without movement the anchor stays: its line may be beneath a block that is still being read.
    const moved = offset !== this.#lastOffset && this.timeline.anchor.kind === 'at';
    if (offset + height >= size - endTolerance) this.timeline.anchor = { kind: 'newest' };
    else if (moved || movedUp) this.stayHere();
    this.#lastOffset = offset;
    this.#lastSize = size;
  };

  /** Call after rows or the view have changed size. */
  resized = (): void => {
    const height = this.list?.getViewportSize() ?? 0;
    const viewChanged = height !== this.#lastHeight;
    this.#lastHeight = height;
    if (viewChanged && this.timeline.anchor.kind === 'newest') this.#showEnd();
    this.measure();
  };

  /** Call after lines were added or removed: keeps the newest line, or else the first visible one, in place. */
  hold(): void {
    const { anchor, lines } = this.timeline;
    if (anchor.kind === 'newest') this.#showEnd();
    else {
      const isThere = lines[this.visible.first]?.key === anchor.key;
      const index = isThere ? -1 : lines.findIndex(({ key }) => key === anchor.key);
      if (index >= 0) this.list?.scrollToIndex(index, { align: 'start', offset: anchor.offset });
    }
    this.measure();
  }

  /** Stops following the end: a row opened there grows downwards and would scroll out of view. */
  stayHere(): void {
    const { list } = this;
    if (!list) return;
    const offset = list.getScrollOffset();
    const first = list.findItemIndex(offset);
    const line = this.timeline.lines[first];
    if (line) this.timeline.anchor = { kind: 'at', key: line.key, offset: offset - list.getItemOffset(first) };
  }

  followNewest = (): void => {
    this.timeline.anchor = { kind: 'newest' };
    this.#showEnd();
  };

  showRow = (rowIndex: number): void => {
    this.stayHere();
    this.list?.scrollToIndex(lineIndexOf(this.timeline.outline, rowIndex), { align: 'center' });
  };

  /** The last fully visible line, or else the first visible one. */
  newestVisible(): number {
    const { list } = this;
    const { first, last } = this.visible;
    if (!list) return last;
    const end = list.getItemOffset(last) + list.getItemSize(last);
    return end > list.getScrollOffset() + list.getViewportSize() + 1 ? Math.max(first, last - 1) : last;
  }

  /** Scrolls lines into view by the smallest distance; lines that are too tall are aligned at their start. */
  reveal(first: number, last = first): void {
    const { list } = this;
    if (!list) return;
    const offset = list.getScrollOffset();
    const top = list.getItemOffset(first) - offset;
    const bottom = list.getItemOffset(last) + list.getItemSize(last) - offset;
    const hidden = bottom - list.getViewportSize();
    if (top < 0) list.scrollToIndex(first, { align: 'start' });
    else if (hidden > 0) list.scrollBy(Math.min(hidden, top));
  }

  #showEnd(): void {
    this.list?.scrollToIndex(this.timeline.lines.length - 1, { align: 'end' });
  }
}
