import type { FrameLocator } from 'playwright-core';
import type { Workbench } from './browser-editor/workbench.ts';

/** Themes of VS Code by the class that the body of a webview has in them, without the prefix `vscode-`. */
export const themes = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  'high-contrast': 'Default High Contrast',
};

type Theme = keyof typeof themes;

/**
 * Calls `look` in each theme, in an editor that starts dark. Starting another editor for each theme would take longer
 * than most walks.
 */
export async function inEachTheme(
  workbench: Workbench,
  panel: FrameLocator,
  look: (theme: Theme) => Promise<void>,
): Promise<void> {
  await look('dark');
  for (const other of ['light', 'high-contrast'] as const) {
    await workbench.changeTheme(themes[other]);
    await panel.locator(`body.vscode-${other}`).waitFor();
    await look(other);
  }
}

/** Takes the pictures `NAME-dark`, `NAME-light` and `NAME-high-contrast` of an editor that starts dark. */
export async function takeInEachTheme(workbench: Workbench, panel: FrameLocator, name: string): Promise<void> {
  await inEachTheme(workbench, panel, async (theme) => {
    await workbench.takeScreenshot(`${name}-${theme}`);
  });
}
