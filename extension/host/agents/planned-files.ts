import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { PlannedFile } from '../../inside/setup/plan';

const scheme = 'strata-setup';

/** Shows what a setup would write, file by file, in the editor's own diff view. */
export class PlannedFiles implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #registration = vscode.Disposable.from(
    vscode.workspace.registerTextDocumentContentProvider(scheme, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#texts.delete(uri.toString())),
  );

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  async show({ file, current, planned }: PlannedFile): Promise<void> {
    const before = this.#write(file, 'before', current);
    const after = this.#write(file, 'after', planned);
    const title = vscode.l10n.t('{0} (by Strata, not yet written)', basename(file));
    await vscode.commands.executeCommand('vscode.diff', before, after, title, { preview: false });
  }

  /** Closes the diffs: once the files are written or refused, they are outdated. */
  async close(): Promise<void> {
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const isOurs = ({ input }: vscode.Tab) =>
      input instanceof vscode.TabInputTextDiff && input.modified.scheme === scheme;
    await vscode.window.tabGroups.close(tabs.filter(isOurs));
  }

  #write(file: string, side: 'before' | 'after', bytes: Buffer | null): vscode.Uri {
    const uri = vscode.Uri.file(file).with({ scheme, query: `${side}-${Date.now()}` });
    this.#texts.set(uri.toString(), bytes?.toString('utf8') ?? '');
    return uri;
  }

  dispose(): void {
    this.#registration.dispose();
  }
}
