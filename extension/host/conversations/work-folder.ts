import * as vscode from 'vscode';

/** The folder that the person works in; null where none is open. */
export function workFolder(): string | null {
  return vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? null;
}
