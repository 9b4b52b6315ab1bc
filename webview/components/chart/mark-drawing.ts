import uPlot from 'uplot';
import { t } from '../../l10n';
import type { ChartMark, MarkPlace } from '../../state/chart/chart-marks';
import type { ChartBounds } from '../../state/chart/tokens-chart';
import { formatTokens } from '../../state/shared/format';
import type { Palette } from './palette';

/** The names of the two vertical scales. */
export const tokensScale = 'tokens';
export const driftScale = 'drift';

/** Radius in CSS pixels. */
const radius = 4;

/** Positions of the marks within the plot, in CSS pixels. */
export function placesOf(plot: uPlot, marks: readonly ChartMark[]): MarkPlace[] {
  return marks.map(({ mark }) => ({
    id: mark.id,
    x: plot.valToPos(mark.at, 'x'),
    y: plot.valToPos(sizeOf(mark), tokensScale),
  }));
}

/** An undone compaction removed nothing, so its mark stays on the line. */
function sizeOf(mark: ChartMark['mark']): number {
  return mark.active ? mark.after : mark.before;
}

/** The window's label is above its line and that of auto-compact below, because the two lines are often close. */
export function drawBounds(plot: uPlot, bounds: ChartBounds, { words, autoCompact, surface, font }: Palette): void {
  if (bounds.window !== null) {
    const look = { color: words, surface, font, dash: [1, 3], words: 'above-end' } as const;
    drawBound(plot, bounds.window, t('{0} window', formatTokens(bounds.window)), look);
  }
  if (bounds.autoCompact !== null) {
    const look = { color: autoCompact, surface, font, dash: [5, 4], words: 'below-start' } as const;
    drawBound(plot, bounds.autoCompact, t('{0} auto-compact', formatTokens(bounds.autoCompact)), look);
  }
}

interface BoundLook {
  readonly color: string;
  /** Behind the words, so that no line crosses them. */
  readonly surface: string;
  readonly font: string;
  readonly dash: readonly number[];
  readonly words: 'above-end' | 'below-start';
}

function drawBound(plot: uPlot, tokens: number, label: string, { color, surface, font, dash, words }: BoundLook): void {
  const { ctx, bbox } = plot;
  const scale = uPlot.pxRatio;
  const y = Math.round(plot.valToPos(tokens, tokensScale, true)) + 0.5;
  const end = bbox.left + bbox.width;
  ctx.save();
  ctx.strokeStyle = color;
  ctx.fillStyle = color;
  ctx.lineWidth = scale;
  ctx.setLineDash(dash.map((length) => length * scale));
  ctx.beginPath();
  ctx.moveTo(bbox.left, y);
  ctx.lineTo(end, y);
  ctx.stroke();
  ctx.font = scaledFont(font);
  ctx.textAlign = 'left';
  ctx.textBaseline = 'top';
  const isAbove = words === 'above-end';
  const { width, fontBoundingBoxDescent: height } = ctx.measureText(label);
  const left = isAbove ? end - width - 2 * scale : bbox.left + 3 * scale;
  const top = isAbove ? y - height - 2 * scale : y + 3 * scale;
  ctx.fillStyle = surface;
  ctx.fillRect(left - scale, top - scale, width + 2 * scale, height + scale);
  ctx.fillStyle = color;
  ctx.fillText(label, left, top);
  ctx.restore();
}

/** Canvas coordinates are device pixels. */
function scaledFont(font: string): string {
  return font.replace(/^[\d.]+/, (size) => String(Number(size) * uPlot.pxRatio));
}

export function drawMarks(plot: uPlot, marks: readonly ChartMark[], selectedId: string | null, palette: Palette): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.beginPath();
  const margin = (radius + 4) * uPlot.pxRatio;
  ctx.rect(bbox.left - margin, bbox.top - margin, bbox.width + 2 * margin, bbox.height + 2 * margin);
  ctx.clip();
  for (const mark of marks) drawMark(plot, mark, mark.mark.id === selectedId, palette);
  ctx.restore();
}

function drawMark(plot: uPlot, { mark, kind }: ChartMark, isSelected: boolean, palette: Palette): void {
  const { ctx } = plot;
  const scale = uPlot.pxRatio;
  const color = palette.marks[kind];
  const x = plot.valToPos(mark.at, 'x', true);
  const y = plot.valToPos(sizeOf(mark), tokensScale, true);
  ctx.strokeStyle = color;
  ctx.lineWidth = (isSelected ? 3 : 2) * scale;
  if (mark.active) {
    ctx.beginPath();
    ctx.moveTo(x, plot.valToPos(mark.before, tokensScale, true));
    ctx.lineTo(x, y);
    ctx.stroke();
  }
  drawDot(ctx, { x, y, radius: (isSelected ? radius + 1.5 : radius) * scale }, mark.active ? color : palette.surface);
  if (!isSelected) return;
  ctx.strokeStyle = palette.selection;
  ctx.lineWidth = 2 * scale;
  ctx.beginPath();
  ctx.arc(x, y, (radius + 4.5) * scale, 0, 2 * Math.PI);
  ctx.stroke();
}

function drawDot(
  ctx: CanvasRenderingContext2D,
  { x, y, radius: size }: { x: number; y: number; radius: number },
  fill: string,
): void {
  ctx.beginPath();
  ctx.arc(x, y, size, 0, 2 * Math.PI);
  ctx.fillStyle = fill;
  ctx.fill();
  ctx.stroke();
}
