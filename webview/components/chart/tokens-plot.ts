import uPlot from 'uplot';
import { t } from '../../l10n';
import { type ChartMark, markAt } from '../../state/chart/chart-marks';
import { type ChartBounds, type ChartTable, turnTicks } from '../../state/chart/tokens-chart';
import { formatTokens } from '../../state/shared/format';
import { futureShare } from '../../state/travel/travel.svelte';
import { drawBounds, drawMarks, driftScale, placesOf, tokensScale } from './mark-drawing';
import { drawFuture, drawMoment, type FuturePoint } from './moment-drawing';
import { onThemeChange, type Palette, readPalette } from './palette';

/** Input of the plot; it may change at any time. */
interface PlotInput {
  readonly table: ChartTable;
  readonly marks: readonly ChartMark[];
  readonly bounds: ChartBounds;
  readonly selectedId: string | null;
  /** Index in the conversation of the newest entry of the moment on screen; null for now. */
  readonly past: number | null;
  /** The preview, which follows the last point. */
  readonly future: FuturePoint | null;
}

interface PlotEvents {
  /** Row of the table under the pointer; null after the pointer has left. */
  onpoint(index: number | null): void;
  onselect(id: string): void;
  /** The pointer was dragged, or clicked beside the marks, at this index of the conversation. */
  ontravel(at: number): void;
}

export interface TokensPlot {
  update(input: PlotInput): void;
  destroy(): void;
}

/** The only file that uses the charting library. */
export function createTokensPlot(
  element: HTMLElement,
  initial: PlotInput,
  withDrift: boolean,
  events: PlotEvents,
): TokensPlot {
  const source: PlotSource = { input: initial, palette: readPalette(element) };
  const plot = new uPlot(plotOptions(element, source, withDrift, events), dataOf(initial.table, withDrift), element);
  const dragging = new Dragging(plot.over, (left) => events.ontravel(plot.posToVal(left, 'x')));
  plot.over.addEventListener('click', ({ offsetX, offsetY }) => {
    if (dragging.hasMoved) return;
    const found = markAt(placesOf(plot, source.input.marks), offsetX, offsetY);
    if (found) events.onselect(found.id);
    else events.ontravel(plot.posToVal(offsetX, 'x'));
  });
  const resizing = new ResizeObserver(() => plot.setSize(sizeOf(element)));
  resizing.observe(element);
  const forgetTheme = onThemeChange(() => {
    source.palette = readPalette(element);
    plot.redraw(false);
  });
  return {
    update(next) {
      const { table, future } = source.input;
      source.input = next;
      const isSameData = next.table === table && (next.future === null) === (future === null);
      if (isSameData) plot.redraw(false);
      else plot.setData(dataOf(next.table, withDrift));
    },
    destroy() {
      resizing.disconnect();
      forgetTheme();
      plot.destroy();
    },
  };
}

/** The plot reads it again at each paint. */
interface PlotSource {
  input: PlotInput;
  palette: Palette;
}

function dataOf({ at, tokens, kept, held }: ChartTable, withDrift: boolean): uPlot.AlignedData {
  const drift = withDrift ? [[...held], [...kept]] : [];
  return [[...at], [...tokens], ...drift];
}

function sizeOf(element: HTMLElement): { width: number; height: number } {
  return { width: Math.max(100, element.clientWidth), height: Math.max(80, element.clientHeight) };
}

function plotOptions(element: HTMLElement, source: PlotSource, withDrift: boolean, events: PlotEvents): uPlot.Options {
  return {
    ...sizeOf(element),
    padding: [14, 10, 0, 0],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false, setScale: false }, points: { size: 6 } },
    select: { show: false, left: 0, top: 0, width: 0, height: 0 },
    scales: {
      x: { time: false, range: (_, min, max) => [min, endOf(source.input, min, max)] },
      [tokensScale]: { range: () => [0, source.input.bounds.top] },
      // Keeps 100 % below the lines and labels at the top.
      [driftScale]: { range: () => [0, 150] },
    },
    series: [{}, tokensSeries(source), ...(withDrift ? driftSeries(source) : [])],
    axes: [turnAxis(source), tokensAxis(source)],
    hooks: {
      draw: [
        (plot) => {
          drawBounds(plot, source.input.bounds, source.palette);
          drawFuture(plot, source.input.table, source.input.future, source.palette);
          drawMarks(plot, source.input.marks, source.input.selectedId, source.palette);
          drawMoment(plot, source.input.past, source.palette);
        },
      ],
      setCursor: [(plot) => events.onpoint(plot.cursor.idx ?? null)],
    },
  };
}

function endOf({ future }: PlotInput, min: number, max: number): number {
  const end = Math.max(max, min + 1);
  return future === null ? end : end + (end - min) * futureShare;
}

/** Reads the palette at each paint, because the theme can change in between. */
function tokensSeries(source: PlotSource): uPlot.Series {
  return {
    scale: tokensScale,
    width: 1.5,
    stroke: () => source.palette.line,
    fill: () => source.palette.fill,
    points: { show: false },
  };
}

/** A solid line for messages that stand word for word; above it a dashed line that also counts shortened ones. */
function driftSeries(source: PlotSource): uPlot.Series[] {
  const series = { scale: driftScale, points: { show: false } };
  return [
    { ...series, width: 1.5, dash: [3, 3], stroke: () => source.palette.held },
    { ...series, width: 1.5, stroke: () => source.palette.kept },
  ];
}

/** Pixels for the number of a turn with its margin. */
const tickWidth = 46;

function turnAxis(source: PlotSource): uPlot.Axis {
  const ticksOf = (plot: uPlot) =>
    turnTicks(source.input.table, Math.floor(plot.bbox.width / uPlot.pxRatio / tickWidth));
  return {
    ...axisLook(source),
    size: 20,
    grid: { show: false },
    splits: (plot) => ticksOf(plot).map(({ at }) => at),
    values: (plot) => ticksOf(plot).map(({ turn }, index) => (index === 0 ? t('turn {0}', turn) : String(turn))),
  };
}

function tokensAxis(source: PlotSource): uPlot.Axis {
  return {
    ...axisLook(source),
    scale: tokensScale,
    size: 40,
    space: 34,
    grid: { stroke: () => source.palette.grid, width: 1 },
    values: (_, splits) => splits.map((tokens) => formatTokens(tokens)),
  };
}

function axisLook(source: PlotSource): uPlot.Axis {
  return { stroke: () => source.palette.words, font: source.palette.font, gap: 3, ticks: { show: false } };
}

/** Pixels that a pointer may move in a click. */
const clickSlack = 3;

/** Follows a pointer that is pressed and moved over an element, also beyond its edges. */
class Dragging {
  /** The last press moved the pointer, so it was not a click. */
  hasMoved = false;
  #from: number | null = null;

  constructor(element: HTMLElement, onmove: (left: number) => void) {
    element.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return;
      this.hasMoved = false;
      this.#from = event.clientX;
      element.setPointerCapture(event.pointerId);
    });
    element.addEventListener('pointermove', (event) => {
      if (this.#from === null) return;
      this.hasMoved ||= Math.abs(event.clientX - this.#from) > clickSlack;
      if (!this.hasMoved) return;
      const { left, width } = element.getBoundingClientRect();
      onmove(Math.min(width, Math.max(0, event.clientX - left)));
    });
    for (const end of ['pointerup', 'pointercancel'] as const) {
      element.addEventListener(end, () => {
        this.#from = null;
      });
    }
  }
}
