import type { SessionChange } from '../../extension/protocol/messages';
import type { Caller } from '../../extension/protocol/rpc';
import type { Row, RowDetail } from '../../extension/protocol/view';
import { TimelineFilter } from './filter.svelte';
import { type Loadable, load, loading } from './loadable';
import { buildOutline, type Line } from './outline';
import type { SessionState } from './session.svelte';

/** Where the timeline stands. `newest` sticks to the bottom while the session grows. */
export type ScrollAnchor =
  | { readonly kind: 'newest' }
  /** `offset`: pixels of that line that are scrolled out at the top. */
  | { readonly kind: 'at'; readonly key: string; readonly offset: number };

export interface SavedTimeline {
  readonly anchor: ScrollAnchor;
  readonly expanded: readonly string[];
  readonly opened: readonly string[];
  readonly activeKey: string | null;
}

/** A keyboard command of the list and what it does, given the lines of one page. */
type Move = (timeline: Timeline, pageSize: number) => void;

/** The rows as lines: which blocks are open, which rows show their detail, and where the keyboard is. */
export class Timeline {
  readonly filter = new TimelineFilter();
  anchor = $state.raw<ScrollAnchor>({ kind: 'newest' });
  activeKey = $state.raw<string | null>(null);

  #expanded = $state.raw<ReadonlyMap<string, Loadable<readonly Row[]>>>(new Map());
  #details = $state.raw<ReadonlyMap<string, Loadable<RowDetail>>>(new Map());
  readonly #session: SessionState;
  readonly #request: Caller['request'];

  constructor(session: SessionState, request: Caller['request']) {
    this.#session = session;
    this.#request = request;
  }

  /** What the filter lets through. */
  readonly rows = $derived.by(() => this.filter.apply(this.#session.rows));
  readonly outline = $derived.by(() => buildOutline(this.rows, this.#expanded));
  readonly lines = $derived.by(() => this.outline.lines);
  readonly activeIndex = $derived.by(() =>
    this.activeKey === null ? -1 : this.lines.findIndex((line) => line.key === this.activeKey),
  );
  /** The share bars are drawn against it. Blocks and the system prompt would flatten all others. */
  readonly largestTokens = $derived.by(() => largestOf(this.#session.rows));

  readonly saved: SavedTimeline = $derived.by(() => ({
    anchor: this.anchor,
    expanded: [...this.#expanded.keys()],
    opened: [...this.#details.keys()],
    activeKey: this.activeKey,
  }));

  beneath(line: Line): Loadable<readonly Row[]> | undefined {
    return this.#expanded.get(line.key);
  }

  detail(line: Line): Loadable<RowDetail> | undefined {
    return this.#details.get(line.key);
  }

  /** Forgets what was open: the keys of another session mean nothing here. */
  reset(): void {
    this.anchor = { kind: 'newest' };
    this.activeKey = null;
    this.#expanded = new Map();
    this.#details = new Map();
    this.filter.clear();
  }

  activate = (line: Line): void => {
    this.activeKey = line.key;
  };

  toggleDetail = (line: Line): void => {
    if (this.#details.has(line.key)) this.#details = without(this.#details, line.key);
    else void this.#readDetail(line.key, line.row);
  };

  toggleBeneath = (line: Line): void => {
    if (this.#expanded.has(line.key)) this.#expanded = without(this.#expanded, line.key);
    else void this.#readBeneath(line.key, line.row);
  };

  /** Reads again what could not be read. */
  retry(line: Line): void {
    if (this.#details.get(line.key)?.kind === 'failed') void this.#readDetail(line.key, line.row);
    if (this.#expanded.get(line.key)?.kind === 'failed') void this.#readBeneath(line.key, line.row);
  }

  /** How many of the lines after this one lie beneath it. */
  countBeneath(index: number): number {
    const level = this.lines[index]?.level ?? 0;
    let end = index + 1;
    while ((this.lines[end]?.level ?? 0) > level) end += 1;
    return end - index - 1;
  }

  /** Reads again what is shown of rows that the change replaced. Rows beneath blocks depend on the compactions. */
  refresh(change: SessionChange): void {
    for (const row of change.splice?.rows ?? []) {
      if (this.#details.has(row.key)) void this.#readDetail(row.key, row);
    }
    if (change.compactions) void this.#readAgain([...this.#expanded.keys()]);
  }

  async restore(saved: SavedTimeline): Promise<void> {
    this.anchor = saved.anchor;
    this.activeKey = saved.activeKey;
    await this.#readAgain(saved.expanded);
    for (const line of this.lines) {
      if (saved.opened.includes(line.key)) void this.#readDetail(line.key, line.row);
    }
  }

  /** Keyboard of the editor's own lists. False when the key means nothing here. */
  press(key: string, pageSize: number): boolean {
    const move = moves[key];
    if (!move || this.lines.length === 0) return false;
    move(this, pageSize);
    return true;
  }

  moveTo(index: number): void {
    const line = this.lines[Math.max(0, Math.min(this.lines.length - 1, index))];
    if (line) this.activeKey = line.key;
  }

  moveBy(distance: number): void {
    // Before the first key press the keyboard stands at the newest row, where reading starts.
    this.moveTo(this.activeIndex < 0 ? this.lines.length - 1 : this.activeIndex + distance);
  }

  /** Blocks open to what lies beneath, all others to their detail; what is open leads on to its first child. */
  openActive(): void {
    const line = this.lines[this.activeIndex];
    if (!line) return;
    if (!line.row.block) {
      if (!this.#details.has(line.key)) this.toggleDetail(line);
    } else if (!this.#expanded.has(line.key)) this.toggleBeneath(line);
    else if ((this.lines[this.activeIndex + 1]?.level ?? 0) > line.level) this.moveBy(1);
  }

  closeActive(): void {
    const line = this.lines[this.activeIndex];
    if (!line) return;
    if (this.#details.has(line.key)) this.toggleDetail(line);
    else if (this.#expanded.has(line.key)) this.toggleBeneath(line);
    else this.#moveToParent(line);
  }

  toggleActiveDetail(): void {
    const line = this.lines[this.activeIndex];
    if (line) this.toggleDetail(line);
  }

  #moveToParent(line: Line): void {
    if (line.level === 1) return;
    for (let index = this.activeIndex - 1; index >= 0; index -= 1) {
      if ((this.lines[index]?.level ?? 0) < line.level) {
        this.moveTo(index);
        return;
      }
    }
  }

  /** Outer blocks first: a block within a block has a line only once its parent is read. */
  async #readAgain(keys: readonly string[]): Promise<void> {
    const byDepth = [...keys].sort((a, b) => depthOf(a) - depthOf(b));
    for (const key of byDepth) {
      const line = this.lines.find((candidate) => candidate.key === key);
      if (line?.row.block) await this.#readBeneath(key, line.row);
      else this.#expanded = without(this.#expanded, key);
    }
  }

  async #readBeneath(key: string, row: Row): Promise<void> {
    if (!row.block) return;
    if (!this.#expanded.has(key)) this.#expanded = withEntry(this.#expanded, key, loading);
    const read = await load(this.#request('rows-beneath', { compactionId: row.block.compactionId }));
    // Closed while it was read: it stays closed.
    if (this.#expanded.has(key)) this.#expanded = withEntry(this.#expanded, key, read);
  }

  async #readDetail(key: string, row: Row): Promise<void> {
    if (!this.#details.has(key)) this.#details = withEntry(this.#details, key, loading);
    const read = await load(this.#request('read-row', { key: row.key }));
    if (this.#details.has(key)) this.#details = withEntry(this.#details, key, read);
  }
}

const moves: Readonly<Record<string, Move>> = {
  ArrowDown: (timeline) => timeline.moveBy(1),
  ArrowUp: (timeline) => timeline.moveBy(-1),
  PageDown: (timeline, pageSize) => timeline.moveBy(pageSize),
  PageUp: (timeline, pageSize) => timeline.moveBy(-pageSize),
  Home: (timeline) => timeline.moveTo(0),
  End: (timeline) => timeline.moveTo(timeline.lines.length - 1),
  ArrowRight: (timeline) => timeline.openActive(),
  ArrowLeft: (timeline) => timeline.closeActive(),
  Enter: (timeline) => timeline.toggleActiveDetail(),
  ' ': (timeline) => timeline.toggleActiveDetail(),
};

/** Keys that change the height of the active row. */
export const opensOrCloses: readonly string[] = ['ArrowRight', 'ArrowLeft', 'Enter', ' '];

function largestOf(rows: readonly Row[]): number {
  let largest = 1;
  for (const { block, kind, tokens } of rows) {
    if (!block && kind !== 'system' && tokens > largest) largest = tokens;
  }
  return largest;
}

function depthOf(key: string): number {
  return key.split('>').length;
}

function withEntry<V>(map: ReadonlyMap<string, V>, key: string, value: V): ReadonlyMap<string, V> {
  return new Map(map).set(key, value);
}

function without<V>(map: ReadonlyMap<string, V>, key: string): ReadonlyMap<string, V> {
  const copy = new Map(map);
  copy.delete(key);
  return copy;
}
