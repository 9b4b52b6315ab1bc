import * as vscode from 'vscode';

/** In an Extension Development Host, reloads the window after each build of `npm run dev`. */
export function reloadWhenRebuilt({ extensionMode, extensionUri }: vscode.ExtensionContext): vscode.Disposable {
  if (extensionMode !== vscode.ExtensionMode.Development) return vscode.Disposable.from();
  const builds = vscode.Uri.joinPath(extensionUri, 'dist');
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(builds, 'rebuilt'));
  const reload = () => vscode.commands.executeCommand('workbench.action.reloadWindow');
  return vscode.Disposable.from(watcher, watcher.onDidCreate(reload), watcher.onDidChange(reload));
}
