import * as vscode from 'vscode';
import type { Inspection } from '../../inspection/inspection';
import { messagesAsText } from '../../middleware/text';
import type { Inspector } from '../inspector';
import { type OpenedCompaction, openCompaction, UnknownCompaction } from '../view/compaction-detail';

const scheme = 'strata-compaction';

type Side = 'before' | 'after';

/** A compaction in a diff, and the state of the journal that its texts come from. */
interface Shown {
  readonly file: string;
  readonly id: string;
  state: Inspection['journal']['state'];
}

/**
 * Read-only documents with the text that a compaction replaced and the text that replaced it, for the editor's own diff view. They follow
 * the journal while their session is open.
 */
export class DiffDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  readonly #texts = new Map<string, string>();
  readonly #shown = new Map<string, Shown>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #registration: vscode.Disposable;

  constructor(private readonly inspector: Inspector) {
    this.#registration = vscode.Disposable.from(
      vscode.workspace.registerTextDocumentContentProvider(scheme, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#forget(uri)),
      inspector.onDidChange(() => this.#refresh()),
      this.#changed,
    );
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#texts.get(uri.toString()) ?? '';
  }

  async show(inspection: Inspection, id: string, title: string): Promise<void> {
    const [before, after] = this.#write(inspection, openCompaction(id, inspection));
    this.#shown.set(after.toString(), { file: inspection.session.file, id, state: inspection.journal.state });
    await vscode.commands.executeCommand('vscode.diff', before, after, title, { preview: true });
  }

  /** Two texts for one block. They do not change. */
  async showTexts(name: string, before: string, after: string, title: string): Promise<void> {
    const [left, right] = [this.#document('', name, 'before', before), this.#document('', name, 'after', after)];
    await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true });
  }

  /** The texts change only with the journal. */
  #refresh(): void {
    const { inspection } = this.inspector;
    if (!inspection) return;
    const { state } = inspection.journal;
    for (const shown of this.#shown.values()) {
      if (shown.file !== inspection.session.file || shown.state === state) continue;
      shown.state = state;
      const opened = stillKnown(shown.id, inspection);
      if (opened) this.#write(inspection, opened);
    }
  }

  #write(
    { session }: Inspection,
    { id, replaced, ofReplaced, after }: OpenedCompaction,
  ): readonly [vscode.Uri, vscode.Uri] {
    return [
      this.#document(session.file, id, 'before', messagesAsText(replaced, ofReplaced)),
      this.#document(session.file, id, 'after', after),
    ];
  }

  /** The editor keeps the text of an open document until it is notified of a change. */
  #document(session: string, id: string, side: Side, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme, path: `/${id}/${side}.md`, query: session });
    const known = this.#texts.get(uri.toString());
    this.#texts.set(uri.toString(), text);
    if (known !== undefined && known !== text) this.#changed.fire(uri);
    return uri;
  }

  #forget(uri: vscode.Uri): void {
    this.#texts.delete(uri.toString());
    this.#shown.delete(uri.toString());
  }

  dispose(): void {
    this.#registration.dispose();
    this.#texts.clear();
    this.#shown.clear();
  }
}

/** Null if the journal was replaced by one without this compaction: the diff then keeps its last content. */
function stillKnown(id: string, inspection: Inspection): OpenedCompaction | null {
  try {
    return openCompaction(id, inspection);
  } catch (error) {
    if (error instanceof UnknownCompaction) return null;
    throw error;
  }
}
