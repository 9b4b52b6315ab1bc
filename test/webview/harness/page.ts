import { type ThemeName, themes } from './themes.ts';

/** The built files are deep below the page, as in the editor, so that no path in them may depend on the root. */
export const folder = '/some/extension/dist/webview/';

export interface PageOptions {
  readonly theme: ThemeName;
  readonly placement: 'view' | 'editor';
  readonly origin: string;
  readonly nonce: string;
}

/** The policy of the host's page. The panel must not violate it. */
export function contentPolicy({ origin, nonce }: PageOptions): string {
  return [
    "default-src 'none'",
    `img-src data: ${origin}`,
    `font-src ${origin}`,
    `style-src ${origin} 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
  ].join('; ');
}

/**
 * The page as the host writes it. Theme variables and the editor's own style sheet come from /theme.css and are not
 * inline.
 */
export function pageOf({ theme, placement, nonce }: PageOptions): string {
  const { kind } = themes[theme];
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <link rel="stylesheet" href="/theme.css?theme=${theme}&amp;placement=${placement}" />
    <link rel="stylesheet" href="${folder}panel.css" />
    <title>Strata</title>
  </head>
  <body class="${kind}" data-vscode-theme-kind="${kind}">
    <div id="strata"></div>
    <script type="module" nonce="${nonce}" src="${folder}panel.js"></script>
  </body>
</html>`;
}

/** The styles that the editor adds to every webview, and the background behind it. */
export function themeSheet(theme: ThemeName, placement: string): string {
  const variables = Object.entries(themes[theme].variables).map(([name, value]) => `--vscode-${name}: ${value};`);
  const behind = placement === 'editor' ? 'editor-background' : 'sideBar-background';
  return `
html { ${variables.join(' ')} background: var(--vscode-${behind}); scrollbar-color: var(--vscode-scrollbarSlider-background) transparent; }
body { overscroll-behavior-x: none; background-color: transparent; color: var(--vscode-editor-foreground);
  font-family: var(--vscode-font-family); font-weight: var(--vscode-font-weight); font-size: var(--vscode-font-size);
  margin: 0; padding: 0 20px; }
::-webkit-scrollbar { width: 10px; height: 10px; }
::-webkit-scrollbar-thumb { background-color: var(--vscode-scrollbarSlider-background); }
`;
}
