import * as vscode from 'vscode';

/** Leads back from what is on screen to the record that it came from. */
export class Reveal {
  /** Opens a file at a line, read-only in effect: Strata itself never writes to it. */
  async line(file: string, line: number): Promise<void> {
    const at = new vscode.Position(Math.max(0, line - 1), 0);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.file(file));
    await vscode.window.showTextDocument(document, { selection: new vscode.Range(at, at), preview: true });
  }
}
