import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/**
 * The HTML page of the panel. Loads only the extension's own files and runs only scripts and styles with the nonce, so
 * that session content can never become markup or code.
 */
export function panelPage(webview: vscode.Webview, extensionUri: vscode.Uri): string {
  const nonce = randomBytes(16).toString('base64');
  const asset = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(panelFolder(extensionUri), name)).toString();
  const policy = [
    `default-src 'none'`,
    `img-src ${webview.cspSource} data:`,
    `font-src ${webview.cspSource}`,
    `style-src ${webview.cspSource} 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}" dir="${directionOf(vscode.env.language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<link rel="stylesheet" href="${asset('panel.css')}">
<title>Strata</title>
</head>
<body>
<div id="strata"></div>
${wordsOf(vscode.l10n.bundle)}
<script nonce="${nonce}" type="module" src="${asset('panel.js')}"></script>
</body>
</html>`;
}

/** Writing direction of VS Code's display language. */
function directionOf(language: string): 'ltr' | 'rtl' {
  return /^(?:ar|dv|fa|he|ku|ps|sd|ug|ur|yi)\b/.test(language) ? 'rtl' : 'ltr';
}

/** The translations for the panel, escaped so that they cannot end their element. */
function wordsOf(bundle: typeof vscode.l10n.bundle): string {
  if (!bundle) return '';
  const words = JSON.stringify(bundle).replaceAll('<', '\\u003c');
  return `<script id="strata-words" type="application/json">${words}</script>`;
}

export function panelFolder(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
}
