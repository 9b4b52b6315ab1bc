import * as vscode from 'vscode';
import type { Notifications, Topic } from '../../protocol/messages';
import { Panel } from './panel';
import type { PanelServices } from './services';
import type { Visibility } from './visibility';

export const viewId = 'strata.inspector';
export const editorType = 'strata.inspectorEditor';

/** Where the panel is shown: its view in the side bar and one editor tab, both with the same session. */
export class Placements implements vscode.WebviewViewProvider, vscode.WebviewPanelSerializer, vscode.Disposable {
  readonly #registrations: vscode.Disposable;
  #view: Panel | null = null;
  #editor: { readonly tab: vscode.WebviewPanel; readonly panel: Panel } | null = null;
  /** Called with the view as soon as it exists. */
  #waiting: ((panel: Panel) => void) | null = null;
  readonly #started = new vscode.EventEmitter<void>();
  /** A webview of the panel was created. */
  readonly onDidShow = this.#started.event;

  constructor(
    private readonly services: PanelServices,
    private readonly visibility: Visibility,
  ) {
    this.#registrations = vscode.Disposable.from(
      vscode.window.registerWebviewViewProvider(viewId, this, { webviewOptions: { retainContextWhenHidden: true } }),
      vscode.window.registerWebviewPanelSerializer(editorType, this),
    );
  }

  resolveWebviewView(view: vscode.WebviewView): void {
    const panel = new Panel(view.webview, this.services, 'view');
    this.#view = panel;
    this.#waiting?.(panel);
    this.#waiting = null;
    const watched = this.visibility.add(view, (listener) => view.onDidChangeVisibility(listener));
    view.onDidDispose(() => {
      watched.dispose();
      panel.dispose();
      if (this.#view === panel) this.#view = null;
    });
    this.#started.fire();
  }

  /** Restores the editor tab after a reload of the window. */
  async deserializeWebviewPanel(tab: vscode.WebviewPanel): Promise<void> {
    this.#adopt(tab);
  }

  openInEditor(): void {
    if (this.#editor) {
      this.#editor.tab.reveal();
      return;
    }
    this.#adopt(
      vscode.window.createWebviewPanel(editorType, 'Strata', vscode.ViewColumn.Active, {
        retainContextWhenHidden: true,
      }),
    );
  }

  #adopt(tab: vscode.WebviewPanel): void {
    tab.iconPath = { light: this.#media('strata-light.svg'), dark: this.#media('strata-dark.svg') };
    const panel = new Panel(tab.webview, this.services, 'editor');
    this.#editor = { tab, panel };
    const watched = this.visibility.add(tab, (listener) => tab.onDidChangeViewState(listener));
    tab.onDidDispose(() => {
      watched.dispose();
      panel.dispose();
      this.#editor = null;
    });
    this.#started.fire();
  }

  #media(name: string): vscode.Uri {
    return vscode.Uri.joinPath(this.services.extensionUri, 'media', name);
  }

  /**
   * Shows the panel and notifies it: the editor tab if it is open, else the view. `preserveFocus`: for callers that ask a question next,
   * because the question would close when the panel's page takes the focus a moment later.
   */
  async tell<T extends Topic>(topic: T, body: Notifications[T], preserveFocus = false): Promise<void> {
    await this.show(preserveFocus);
    const panel = this.#editor?.panel ?? this.#view;
    if (panel) panel.notify(topic, body);
    // VS Code may report that the view has the focus before it asks for its content.
    else this.#waiting = (later) => later.notify(topic, body);
  }

  /** Shows the panel. `preserveFocus`: keeps the focus where it is. */
  async show(preserveFocus = false): Promise<void> {
    if (this.#editor) this.#editor.tab.reveal(undefined, preserveFocus);
    else await vscode.commands.executeCommand(`${viewId}.focus`, { preserveFocus });
  }

  /** Notifies only the webview of this type. */
  tellOnly<T extends Topic>(type: typeof viewId | typeof editorType, topic: T, body: Notifications[T]): void {
    const panel = type === viewId ? this.#view : this.#editor?.panel;
    panel?.notify(topic, body);
  }

  dispose(): void {
    this.#registrations.dispose();
    this.#view?.dispose();
    this.#editor?.tab.dispose();
    this.#started.dispose();
  }
}
