import uPlot from 'uplot';
import type { ChartTable } from '../../state/chart/tokens-chart';
import { tokensScale } from './mark-drawing';
import type { Palette } from './palette';

/** The context after the preview. */
export interface FuturePoint {
  readonly tokens: number;
  /** It is the moment on screen. */
  readonly isShown: boolean;
}

/** A line through the plot at the moment on screen. */
export function drawMoment(plot: uPlot, at: number | null, { past }: Palette): void {
  if (at === null) return;
  const { ctx, bbox } = plot;
  const x = Math.round(plot.valToPos(at, 'x', true));
  ctx.save();
  ctx.strokeStyle = past;
  ctx.lineWidth = 2 * uPlot.pxRatio;
  ctx.beginPath();
  ctx.moveTo(x, bbox.top);
  ctx.lineTo(x, bbox.top + bbox.height);
  ctx.stroke();
  ctx.restore();
}

/** A dashed line from now to what the preview would leave. */
export function drawFuture(
  plot: uPlot,
  table: ChartTable,
  future: FuturePoint | null,
  { past, surface }: Palette,
): void {
  const [at, tokens] = [table.at.at(-1), table.tokens.at(-1)];
  if (future === null || at === undefined || tokens === undefined) return;
  const { ctx, bbox } = plot;
  const scale = uPlot.pxRatio;
  const end = { x: bbox.left + bbox.width - 4 * scale, y: plot.valToPos(future.tokens, tokensScale, true) };
  ctx.save();
  ctx.strokeStyle = past;
  ctx.fillStyle = future.isShown ? past : surface;
  ctx.lineWidth = 2 * scale;
  ctx.setLineDash([4 * scale, 3 * scale]);
  ctx.beginPath();
  ctx.moveTo(plot.valToPos(at, 'x', true), plot.valToPos(tokens, tokensScale, true));
  ctx.lineTo(end.x, end.y);
  ctx.stroke();
  ctx.setLineDash([]);
  ctx.beginPath();
  ctx.arc(end.x, end.y, 4 * scale, 0, 2 * Math.PI);
  ctx.fill();
  ctx.stroke();
  ctx.restore();
}
