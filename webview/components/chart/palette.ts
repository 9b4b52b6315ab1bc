import type { MarkKind } from '../../state/chart/chart-marks';

/** Colours as the canvas takes them, read from the theme when it is painted. */
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
  readonly marks: Readonly<Record<MarkKind, string>>;
  readonly font: string;
}

/** Which colour of the theme each kind of compaction has; the legend names them to the page, the palette to the canvas. */
export const markColors: Readonly<Record<MarkKind, string>> = {
  goal_batch: 'var(--strata-goal_batch)',
  summary: 'var(--strata-summary)',
  agent: 'var(--vscode-charts-orange, var(--strata-summary))',
  excluded: 'var(--strata-system)',
};

export const lineColor = 'var(--strata-assistant)';
export const driftColor = 'var(--strata-user)';

/** A canvas knows no variables, so an element in the page works their values out. */
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
    marks: {
      goal_batch: color(markColors.goal_batch),
      summary: color(markColors.summary),
      agent: color(markColors.agent),
      excluded: color(markColors.excluded),
    },
    font: `${Math.max(10, Number.parseFloat(fontSize) - 2)}px ${fontFamily}`,
  };
  probe.remove();
  return palette;
}

/** Calls back when the editor has changed its theme: it then writes the page's class and variables anew. */
export function onThemeChange(changed: () => void): () => void {
  const observer = new MutationObserver(changed);
  observer.observe(document.body, { attributes: true, attributeFilter: ['class', 'data-vscode-theme-id'] });
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['style'] });
  return () => observer.disconnect();
}
