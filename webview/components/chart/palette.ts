import type { MarkKind } from '../../state/chart/chart-marks';

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

const colors = {
  line: lineColor,
  fill: `color-mix(in srgb, ${lineColor} 14%, transparent)`,
  kept: driftColor,
  held: `color-mix(in srgb, ${driftColor} 55%, transparent)`,
  grid: 'color-mix(in srgb, var(--vscode-foreground) 12%, transparent)',
  words: 'var(--strata-quiet)',
  surface: 'var(--strata-surface)',
  autoCompact: 'var(--strata-warning-text)',
  selection: 'var(--vscode-focusBorder)',
  /** Another moment than now. */
  past: 'var(--strata-past)',
} as const;

/** Colours in the canvas's format, read from the theme at each paint. */
export interface Palette extends Readonly<Record<keyof typeof colors, string>> {
  readonly marks: Readonly<Record<MarkKind, string>>;
  readonly font: string;
}

/** Resolves CSS variables through an element of the page, because a canvas does not know them. */
export function readPalette(element: HTMLElement): Palette {
  const probe = document.createElement('span');
  probe.hidden = true;
  element.append(probe);
  const resolved = <Name extends string>(css: Readonly<Record<Name, string>>) => {
    const entries = Object.entries<string>(css).map(([name, color]) => {
      probe.style.color = color;
      return [name, getComputedStyle(probe).color];
    });
    return Object.fromEntries(entries) as Record<Name, string>;
  };
  const { fontFamily, fontSize } = getComputedStyle(element);
  const font = `${Math.max(10, Number.parseFloat(fontSize) - 2)}px ${fontFamily}`;
  const palette = { ...resolved(colors), marks: resolved(markColors), font };
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
