import type { FrameLocator } from 'playwright-core';
import type { Workbench } from './browser-editor/workbench.ts';

/** Themes of VS Code by the class that the body of a webview has in them, without its `vscode-`. */
export const themes = {
  dark: 'Default Dark Modern',
  light: 'Default Light Modern',
  'high-contrast': 'Default High Contrast',
};

/** Takes `NAME-light` and `NAME-high-contrast` of an editor that is dark. */
export async function takeInOtherThemes(workbench: Workbench, panel: FrameLocator, name: string): Promise<void> {
  for (const other of ['light', 'high-contrast'] as const) {
    await workbench.changeTheme(themes[other]);
    await panel.locator(`body.vscode-${other}`).waitFor();
    await workbench.takeScreenshot(`${name}-${other}`);
  }
}
