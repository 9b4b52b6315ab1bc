import type { SessionChange } from '../../../extension/protocol/messages';
import type { Caller } from '../../../extension/protocol/rpc';
import type { Row, RowDetail, RowsBeneath } from '../../../extension/protocol/view';
import type { SessionState } from '../session.svelte';
import type { Loadable } from '../shared/loadable';
import { earlierRow } from './earlier-row';
import { type SavedFilter, TimelineFilter, toolNames } from './filter.svelte';
import { OpenRows } from './open-rows.svelte';
import { buildOutline, type Line, rowIndexOf } from './outline';
import { RowImages } from './row-images.svelte';
import { opensTurn } from './row-kinds';
import { RowSearch } from './row-search.svelte';
import { standInFor } from './stand-in';
import { findTurns, type HiddenRows, hiddenRows, rowsAfter } from './turns';

/** Scroll position of the timeline. `newest` sticks to the bottom while the session grows. */
type ScrollAnchor =
  | { readonly kind: 'newest' }
  /** `offset`: pixels of that line above the top edge. */
  | { readonly kind: 'at'; readonly key: string; readonly offset: number };

export interface SavedTimeline {
  readonly anchor: ScrollAnchor;
  readonly expanded: readonly string[];
  readonly opened: readonly string[];
  readonly activeKey: string | null;
  /** Keys of the rows whose turns are folded. */
  readonly folded: readonly string[];
  readonly filter: SavedFilter;
  readonly asWritten: boolean;
}

/** A row that opens a turn, and the rows hidden while the turn is folded. */
export interface TurnFold {
  readonly isFolded: boolean;
  readonly hidden: HiddenRows | null;
}

/** The rows as lines: which blocks and turns are open, which rows show their detail, and which row is active. */
export class Timeline {
  readonly filter = new TimelineFilter();
  anchor = $state.raw<ScrollAnchor>({ kind: 'newest' });
  activeKey = $state.raw<string | null>(null);
  /** Shows the source of texts instead of rendered Markdown. */
  asWritten = $state(false);
  readonly images: RowImages;
  readonly search: RowSearch;
  readonly #open: OpenRows;

  #folded = $state.raw<ReadonlySet<string>>(new Set());
  /** The session's rows now and before the last change. */
  #sessionRows: { readonly now: readonly Row[]; readonly before: readonly Row[] } = { now: [], before: [] };

  constructor(
    private readonly session: SessionState,
    request: Caller['request'],
  ) {
    this.#open = new OpenRows(request);
    this.images = new RowImages(request);
    this.search = new RowSearch(request);
  }

  readonly #earlier = $derived.by(() => earlierRow(this.session.view));
  /** The rows that match the filter. Without a filter, the row of earlier sessions precedes them. */
  readonly rows = $derived.by(() => {
    this.#note(this.session.rows);
    const rows = this.filter.apply(this.session.rows, this.search.keys);
    return this.#earlier === null || this.filter.isActive ? rows : [this.#earlier, ...rows];
  });
  readonly #turns = $derived.by(() => findTurns(this.rows));
  /** Matches of a filter are shown even within a folded turn. */
  readonly outline = $derived.by(() =>
    buildOutline(
      this.rows,
      this.#open.beneath,
      this.filter.isActive ? null : { turns: this.#turns, folded: this.#folded },
    ),
  );
  readonly lines = $derived.by(() => this.outline.lines);
  readonly activeIndex = $derived.by(() => {
    const { lines, activeKey } = this;
    return activeKey === null ? -1 : lines.findIndex(({ key }) => key === activeKey);
  });
  /** The row that opens the running turn; null while the session is idle. */
  readonly liveKey = $derived.by(() =>
    this.session.view?.header.live ? (this.session.rows.findLast(opensTurn)?.key ?? null) : null,
  );
  /** Scale of the share bars: the largest row, except blocks and the system prompt, which would flatten all others. */
  readonly largestTokens = $derived.by(() =>
    this.session.rows.reduce(
      (largest, { block, kind, tokens }) => (block || kind === 'system' ? largest : Math.max(largest, tokens)),
      1,
    ),
  );

  readonly hasFolds = $derived(this.#folded.size > 0);
  /** Names of the called tools, for the filter. */
  readonly tools = $derived.by(() => (this.filter.isOpen ? toolNames(this.session.rows) : []));

  readonly saved: SavedTimeline = $derived.by(() => ({
    anchor: this.anchor,
    expanded: [...this.#open.beneath.keys()],
    opened: [...this.#open.details.keys()],
    activeKey: this.activeKey,
    folded: [...this.#folded],
    filter: this.filter.saved,
    asWritten: this.asWritten,
  }));

  beneath(line: Line): Loadable<RowsBeneath> | undefined {
    return this.#open.beneath.get(line.key);
  }

  detail(line: Line): Loadable<RowDetail> | undefined {
    return this.#open.details.get(line.key);
  }

  /** Resets what was open, because keys of another session are meaningless. */
  reset(): void {
    this.anchor = { kind: 'newest' };
    this.activeKey = null;
    this.#open.closeAll();
    this.#folded = new Set();
    this.images.forget();
    this.filter.clear();
    this.search.look([]);
  }

  activate = (line: Line): void => {
    this.activeKey = line.key;
  };

  toggleDetail = (line: Line): void => {
    if (line.row.kind === 'earlier') this.#open.toggleBeneath(line);
    else this.#open.toggleDetail(line);
  };

  toggleBeneath = (line: Line): void => this.#open.toggleBeneath(line);

  /** The turn that a line can fold; null for all but the first line of a turn with several rows. */
  turnAt(index: number): TurnFold | null {
    const { lines, turns } = this.outline;
    const line = lines[index];
    const row = rowIndexOf(this.outline, index);
    if (!line || !turns || line.level > 1 || turns.opener[row] !== row || rowsAfter(turns, row) === 0) return null;
    const isFolded = this.#folded.has(line.key);
    return { isFolded, hidden: isFolded ? hiddenRows(this.rows, turns, row) : null };
  }

  toggleWritten = (): void => {
    this.asWritten = !this.asWritten;
  };

  toggleFold = (line: Line): void => {
    const folded = new Set(this.#folded);
    if (!folded.delete(line.key)) folded.add(line.key);
    this.#fold(folded);
  };

  foldAll = (): void => {
    this.#fold(new Set(this.session.rows.filter(opensTurn).map(({ key }) => key)));
  };

  unfoldAll = (): void => {
    this.#fold(new Set());
  };

  /** Moves the active line and the scroll anchor from hidden lines to the turn that hides them. */
  #fold(folded: ReadonlySet<string>): void {
    const { anchor } = this;
    const turnOf = (key: string | null) => this.#turnKeyOf(key);
    const active = turnOf(this.activeKey);
    const anchored = anchor.kind === 'at' ? turnOf(anchor.key) : null;
    this.#folded = folded;
    if (active !== null && folded.has(active)) this.activeKey = active;
    if (anchored !== null && folded.has(anchored)) this.anchor = { kind: 'at', key: anchored, offset: 0 };
  }

  /** The key of the row that opens the turn of a line. */
  #turnKeyOf(lineKey: string | null): string | null {
    if (lineKey === null) return null;
    const topKey = lineKey.split('>')[0];
    const opener = this.#turns.opener[this.rows.findIndex(({ key }) => key === topKey)] ?? -1;
    return this.rows[opener]?.key ?? null;
  }

  retry(line: Line): void {
    this.#open.retry(line);
  }

  /** Number of lines beneath this line. */
  countBeneath(index: number): number {
    const level = this.lines[index]?.level ?? 0;
    let end = index + 1;
    while ((this.lines[end]?.level ?? 0) > level) end += 1;
    return end - index - 1;
  }

  /** Reads the open details of replaced rows again. Rows beneath blocks depend on the compactions. */
  refresh(change: SessionChange): void {
    if (change.splice) {
      this.#followSplice();
      this.search.lookAgain();
    }
    for (const row of change.splice?.rows ?? []) {
      this.images.forget(row.key);
      this.#open.renewDetail(row);
    }
    if (change.compactions) void this.#open.readBeneathAgain([...this.#open.beneath.keys()], () => this.lines);
  }

  /** Moves the active line and the scroll anchor from lines that are gone to the lines now at their place. */
  #followSplice(): void {
    void this.rows;
    const { anchor, activeKey } = this;
    const places = { ...this.#sessionRows, lines: () => this.lines };
    if (activeKey !== null) this.activeKey = standInFor(activeKey, places);
    if (anchor.kind !== 'at') return;
    const anchored = standInFor(anchor.key, places);
    if (anchored !== anchor.key)
      this.anchor = anchored === null ? { kind: 'newest' } : { kind: 'at', key: anchored, offset: 0 };
  }

  #note(now: readonly Row[]): void {
    if (now !== this.#sessionRows.now) this.#sessionRows = { now, before: this.#sessionRows.now };
  }

  async restore(saved: SavedTimeline): Promise<void> {
    this.anchor = saved.anchor;
    this.activeKey = saved.activeKey;
    this.asWritten = saved.asWritten ?? false;
    this.#folded = new Set(saved.folded);
    if (saved.filter) this.filter.restore(saved.filter);
    await this.#open.readBeneathAgain(saved.expanded, () => this.lines);
    for (const line of this.lines) {
      if (saved.opened.includes(line.key)) void this.#open.readDetail(line);
    }
  }

  /** Keyboard of the editor's own lists; `pageSize`: lines of one page. False if the list does not use the key. */
  press(key: string, pageSize: number): boolean {
    if (this.lines.length === 0) return false;
    if (key === 'ArrowDown') this.moveBy(1);
    else if (key === 'ArrowUp') this.moveBy(-1);
    else if (key === 'PageDown') this.moveBy(pageSize);
    else if (key === 'PageUp') this.moveBy(-pageSize);
    else if (key === 'Home') this.moveTo(0);
    else if (key === 'End') this.moveTo(this.lines.length - 1);
    else if (key === 'ArrowRight') this.openActive();
    else if (key === 'ArrowLeft') this.closeActive();
    else if (key === 'Enter' || key === ' ') this.toggleActiveDetail();
    else return false;
    return true;
  }

  moveTo(index: number): void {
    const line = this.lines[Math.max(0, Math.min(this.lines.length - 1, index))];
    if (line) this.activeKey = line.key;
  }

  moveBy(distance: number): void {
    // Without an active row, the first key press starts at the newest row.
    this.moveTo(this.activeIndex < 0 ? this.lines.length - 1 : this.activeIndex + distance);
  }

  /** Moves to the next or previous row and wraps around at both ends, to step through the matches of a filter. */
  step(distance: 1 | -1): void {
    const count = this.lines.length;
    const from = this.activeIndex < 0 && distance < 0 ? 0 : this.activeIndex;
    if (count > 0) this.moveTo((from + distance + count) % count);
  }

  /** Unfolds a turn, opens a block or shows a row's detail; if it is already open, moves to the first child. */
  openActive(): void {
    const line = this.lines[this.activeIndex];
    if (!line) return;
    const turn = this.turnAt(this.activeIndex);
    if (turn?.isFolded) this.toggleFold(line);
    else if (line.row.block && !this.#open.beneath.has(line.key)) this.toggleBeneath(line);
    else if (!line.row.block && !this.#open.details.has(line.key)) this.toggleDetail(line);
    else if (turn || (this.lines[this.activeIndex + 1]?.level ?? 0) > line.level) this.moveBy(1);
  }

  /** Closes or folds the line if it is open; otherwise moves to its block or turn. */
  closeActive(): void {
    const line = this.lines[this.activeIndex];
    if (!line) return;
    const turn = this.turnAt(this.activeIndex);
    if (this.#open.details.has(line.key)) this.toggleDetail(line);
    else if (this.#open.beneath.has(line.key)) this.toggleBeneath(line);
    else if (turn && !turn.isFolded) this.toggleFold(line);
    else this.#moveToParent(line);
  }

  toggleActiveDetail(): void {
    const line = this.lines[this.activeIndex];
    if (line) this.toggleDetail(line);
  }

  #moveToParent(line: Line): void {
    if (line.level === 1) this.#moveToTurn();
    else this.moveTo(this.lines.findLastIndex(({ level }, index) => index < this.activeIndex && level < line.level));
  }

  #moveToTurn(): void {
    const { turns } = this.outline;
    const opener = turns?.opener[rowIndexOf(this.outline, this.activeIndex)] ?? -1;
    this.activeKey = this.rows[opener]?.key ?? this.activeKey;
  }
}
