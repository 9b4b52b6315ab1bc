import * as vscode from 'vscode';
import { messagesAsText, type OpenedCompaction } from './view/compactions';

const scheme = 'strata-compaction';

/** Read-only documents with what a compaction replaced and what stands for it, for the editor's own diff view. */
export class DiffDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(scheme, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#texts.delete(uri.toString())),
  );

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  async show(opened: OpenedCompaction, title: string): Promise<void> {
    const before = this.#document(opened.id, 'before', messagesAsText(opened.replaced));
    const after = this.#document(opened.id, 'after', opened.after);
    await vscode.commands.executeCommand('vscode.diff', before, after, title, { preview: true });
  }

  #document(id: string, side: 'before' | 'after', text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme, path: `/${id}/${side}.md` });
    this.#texts.set(uri.toString(), text);
    return uri;
  }

  dispose(): void {
    this.#registration.dispose();
    this.#texts.clear();
  }
}
