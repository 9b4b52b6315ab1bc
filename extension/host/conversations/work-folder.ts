import * as vscode from 'vscode';

/** The folder in which the person works; null if none is open. */
export function workFolder(): string | null {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? null;
}
