/** The operations that keys trigger on a timeline. */
interface MovableTimeline {
  readonly lines: readonly unknown[];
  moveBy(lines: number): void;
  moveTo(index: number): void;
  openActive(): void;
  closeActive(): void;
  toggleActiveDetail(): void;
}

/** A keyboard command of the list; it takes the number of lines of one page. */
type Move = (timeline: MovableTimeline, pageSize: number) => void;

/** The keys of the editor's own lists. */
export const moves: Readonly<Record<string, Move>> = {
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
