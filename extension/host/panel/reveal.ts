import * as vscode from 'vscode';

/** Opens the record in the session file that something on screen came from. */
export class Reveal {
  /** Opens a file at a 1-based line. */
  async line(file: string, line: number): Promise<void> {
    const at = new vscode.Position(Math.max(0, line - 1), 0);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at), preview: true });
  }
}
