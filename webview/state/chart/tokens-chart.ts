import type { HistoryMark, HistoryPoint, HistoryView } from '../../../extension/protocol/view';

/** One column per line of the chart. A compaction is two rows at the same place: before and after it. */
export interface ChartTable {
  /** Numbers of entries; never decreasing. */
  readonly at: readonly number[];
  readonly tokens: readonly number[];
  /** Percentage of the first messages that are in the context word for word. Null if there are none. */
  readonly kept: readonly (number | null)[];
  /** Percentage of the first messages that are in the context word for word or shortened. */
  readonly held: readonly (number | null)[];
  /** The number of the turn. */
  readonly turns: readonly number[];
}

interface Step {
  readonly at: number;
  readonly tokens: number;
  readonly turn: number;
  readonly drift: HistoryMark['drift'];
}

export function chartTable({ points, marks, messages }: HistoryView): ChartTable {
  const steps = withDrops(points, marks);
  const percent = (count: number) => (messages === 0 ? null : (count / messages) * 100);
  return {
    at: steps.map(({ at }) => at),
    tokens: steps.map(({ tokens }) => tokens),
    kept: steps.map(({ drift }) => percent(drift?.whole ?? messages)),
    held: steps.map(({ drift }) => percent(drift ? drift.whole + drift.shortened : messages)),
    turns: steps.map(({ turn }) => turn),
  };
}

/** Compactions that are not undone, oldest first. */
export function activeMarks(marks: readonly HistoryMark[]): readonly HistoryMark[] {
  return marks.filter(({ active }) => active).sort((a, b) => a.at - b.at);
}

/** The host may thin out the points, so the drop at a compaction is drawn from its mark. */
function withDrops(points: readonly HistoryPoint[], marks: readonly HistoryMark[]): Step[] {
  const drops = activeMarks(marks);
  const places = new Set(drops.map(({ at }) => at));
  const plain = points.filter(({ at }) => !places.has(at));
  const steps: Step[] = [];
  let drift: HistoryMark['drift'] = null;
  let turn = points[0]?.turn ?? 1;
  const add = (at: number, tokens: number) => steps.push({ at, tokens, turn, drift });
  let next = 0;
  for (const drop of drops) {
    for (; (plain[next]?.at ?? Number.POSITIVE_INFINITY) < drop.at; next += 1) {
      const point = plain[next] as HistoryPoint;
      turn = point.turn;
      add(point.at, point.tokens);
    }
    add(drop.at, drop.before);
    drift = drop.drift ?? drift;
    add(drop.at, drop.after);
  }
  for (const point of plain.slice(next)) {
    turn = point.turn;
    add(point.at, point.tokens);
  }
  return steps;
}

/** Maximum ratio of a limit to the highest point at which the limit is still shown. */
const reach = { autoCompact: 2.2, window: 1.5 } as const;

export interface ChartBounds {
  readonly top: number;
  /** Null if it is too far above the shown points. */
  readonly autoCompact: number | null;
  readonly window: number | null;
}

export function chartBounds(highest: number, autoCompactAt: number | null, window: number): ChartBounds {
  const isNear = (tokens: number, times: number) => tokens <= Math.max(1, highest) * times;
  const autoCompact = autoCompactAt !== null && isNear(autoCompactAt, reach.autoCompact) ? autoCompactAt : null;
  const nearWindow = isNear(Math.max(window, 1), reach.window) ? window : null;
  const headroom = 1.06;
  return {
    top: Math.max(1, highest, autoCompact ?? 0, nearWindow ?? 0) * headroom,
    autoCompact,
    window: nearWindow,
  };
}

export function highestTokens({ points, marks }: HistoryView): number {
  const sizes = [...points.map(({ tokens }) => tokens), ...marks.map(({ before }) => before)];
  return sizes.reduce((highest, tokens) => Math.max(highest, tokens), 0);
}

interface TurnTick {
  readonly at: number;
  readonly turn: number;
}

/** Ticks at the starts of turns: at most `most`, with a minimum distance of that share of the width. */
export function turnTicks({ at, turns }: ChartTable, most: number): readonly TurnTick[] {
  const span = (at.at(-1) ?? 0) - (at[0] ?? 0);
  const apart = span / Math.max(1, most);
  const ticks: TurnTick[] = [];
  turns.forEach((turn, index) => {
    const place = at[index] ?? 0;
    const last = ticks.at(-1);
    if (!last || (turn !== last.turn && place - last.at >= apart)) ticks.push({ at: place, turn });
  });
  return ticks;
}
