import type { Shape } from '../../state/evaluate/contenders';

/** Theme colours in the order of use. Without orange, which marks matches and can be nearly black. */
const hues = [
  'var(--vscode-charts-blue)',
  'color-mix(in srgb, var(--vscode-charts-red) 45%, var(--vscode-charts-yellow))',
  'var(--vscode-charts-green)',
  'var(--vscode-charts-purple)',
  'var(--vscode-charts-red)',
  'var(--vscode-charts-yellow)',
] as const;

export function hueOf({ hue }: { readonly hue: number }): string {
  return hues[hue % hues.length] ?? hues[0];
}

/** Corners on a circle of radius 1, as [angle in turns from the top, distance]. */
type Corner = readonly [turn: number, distance: number];

const corners: Readonly<Record<Exclude<Shape, 'circle' | 'plus'>, readonly Corner[]>> = {
  square: regular(4, 1 / 8, 1.2),
  diamond: regular(4, 0, 1.25),
  triangle: regular(3, 0, 1.3),
  wedge: regular(3, 1 / 2, 1.3),
  star: Array.from({ length: 10 }, (_, index): Corner => [index / 10, index % 2 === 0 ? 1.4 : 0.62]),
};

function regular(count: number, start: number, distance: number): readonly Corner[] {
  return Array.from({ length: count }, (_, index): Corner => [start + index / count, distance]);
}

/** The outline of a mark around 0,0. */
export function shapePath(shape: Shape, radius: number): string {
  if (shape === 'circle')
    return `M0,${-radius}a${radius},${radius} 0 1,1 0,${2 * radius}a${radius},${radius} 0 1,1 0,${-2 * radius}z`;
  if (shape === 'plus') return plusPath(radius * 1.25, radius * 0.45);
  const points = corners[shape].map(([turn, distance]) => {
    const angle = turn * 2 * Math.PI;
    return `${round(Math.sin(angle) * distance * radius)},${round(-Math.cos(angle) * distance * radius)}`;
  });
  return `M${points.join('L')}z`;
}

function plusPath(arm: number, half: number): string {
  const [a, h] = [round(arm), round(half)];
  const length = round(arm - half);
  return `M${-h},${-a}h${2 * h}v${length}h${length}v${2 * h}h${-length}v${length}h${-2 * h}v${-length}h${-length}v${-2 * h}h${length}z`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
