/** Maps a range of values to a range of pixels. */
export interface Scale {
  (value: number): number;
  readonly ticks: readonly number[];
}

type Range = readonly [low: number, high: number];

export function linearScale([low, high]: Range, [start, end]: Range, ticks: readonly number[]): Scale {
  const span = high - low || 1;
  return Object.assign((value: number) => start + ((value - low) / span) * (end - start), { ticks });
}

/** The axis of shares always spans 0 to 1, so that small differences do not look large. */
const shareTicks = [0, 0.25, 0.5, 0.75, 1] as const;

export function shareScale(pixels: Range): Scale {
  return linearScale([0, 1], pixels, shareTicks);
}

const keptTicks = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1] as const;

/** Logarithmic, because compactions keep a tenth or a hundredth: halving has the same width everywhere. Values > 0. */
export function keptScale(values: readonly number[], pixels: Range): Scale {
  const known = values.filter((value) => value > 0);
  const [least, most] = [Math.min(...known, 1), Math.max(...known, 0.001)];
  const low = keptTicks.findLast((tick) => tick <= least) ?? keptTicks[0];
  const high = keptTicks.find((tick) => tick >= most) ?? 1;
  const [first, last] = low === high ? [low / 2, high] : [low, high];
  const linear = linearScale([Math.log(first), Math.log(last)], pixels, []);
  const ticks = keptTicks.filter((tick) => tick >= first && tick <= last);
  return Object.assign((value: number) => linear(Math.log(Math.max(value, first))), { ticks });
}

/** Height of a chart's picture in pixels. */
export const chartHeight = 268;

/** The plot area between the axes, in pixels. */
export interface PlotRoom {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Leaves room for the axes on the left and below, and for labels on the right. */
export function plotRoom(width: number, right: number): PlotRoom {
  return { left: 42, right: Math.max(80, width - right), top: 10, bottom: chartHeight - 38 };
}
