import type { MarkKind } from '../../state/chart/chart-marks';

/** Colours in the canvas's format, read from the theme at each paint. */
export interface Palette {
  readonly line: string;
  readonly fill: string;
  readonly kept: string;
  readonly held: string;
  readonly grid: string;
  readonly words: string;
  readonly surface: string;
  readonly autoCompact: string;
  readonly selection: string;
  /** Colour of another moment than now. */
  readonly past: string;
  readonly marks: Readonly<Record<MarkKind, string>>;
  readonly font: string;
}

/** The theme colour of each kind of compaction: CSS variables for the legend, computed values in the palette. */
export const markColors: Readonly<Record<MarkKind, string>> = {
  goal_batch: 'var(--strata-goal_batch)',
  summary: 'var(--strata-summary)',
  fork: 'var(--strata-summary)',
  agent: 'var(--vscode-charts-orange, var(--vscode-charts-red, var(--strata-summary)))',
  excluded: 'var(--strata-system)',
};

export const lineColor = 'var(--strata-assistant)';
export const driftColor = 'var(--strata-user)';

/** Resolves CSS variables through an element of the page, because a canvas does not know them. */
export function readPalette(element: HTMLElement): Palette {
  const probe = document.createElement('span');
  probe.hidden = true;
  element.append(probe);
  const color = (css: string) => {
    probe.style.color = css;
    return getComputedStyle(probe).color;
  };
  const { fontFamily, fontSize } = getComputedStyle(element);
  const palette: Palette = {
    line: color(lineColor),
    fill: color(`color-mix(in srgb, ${lineColor} 14%, transparent)`),
    kept: color(driftColor),
    held: color(`color-mix(in srgb, ${driftColor} 55%, transparent)`),
    grid: color('color-mix(in srgb, var(--vscode-foreground) 12%, transparent)'),
    words: color('var(--strata-quiet)'),
    surface: color('var(--strata-surface)'),
    autoCompact: color('var(--strata-warning-text)'),
    selection: color('var(--vscode-focusBorder)'),
    past: color('var(--strata-past)'),
    marks: {
      goal_batch: color(markColors.goal_batch),
      summary: color(markColors.summary),
      fork: color(markColors.fork),
      agent: color(markColors.agent),
      excluded: color(markColors.excluded),
    },
    font: `${Math.max(10, Number.parseFloat(fontSize) - 2)}px ${fontFamily}`,
  };
  probe.remove();
  return palette;
}

/** Calls back after a change of the editor's theme, which rewrites the class and variables of the page. */
export function onThemeChange(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  return () => observer.disconnect();
}
