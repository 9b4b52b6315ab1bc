import * as vscode from 'vscode';

/** Where Strata is being developed, reloads the window whenever `npm run dev` has built it anew. */
export function reloadWhenRebuilt({ extensionMode, extensionUri }: vscode.ExtensionContext): vscode.Disposable {
  if (extensionMode !== vscode.ExtensionMode.Development) return vscode.Disposable.from();
  const builds = vscode.Uri.joinPath(extensionUri, 'dist');
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(builds, 'rebuilt'));
  const reload = () => vscode.commands.executeCommand('workbench.action.reloadWindow');
  return vscode.Disposable.from(watcher, watcher.onDidCreate(reload), watcher.onDidChange(reload));
}
