import * as vscode from 'vscode';
import type { Notifications, Topic } from '../../protocol/messages';
import { answer, type ToWebview } from '../../protocol/rpc';
import type { SessionView } from '../../protocol/view';
import { failureDetail } from '../failure-text';
import { settingsSection } from '../settings';
import { summarizerView } from '../summarizer-view';
import { sessionChange } from '../view/session-change';
import { busyView } from './busy';
import { type HandlerContext, panelHandlers } from './handlers';
import { panelFolder, panelPage } from './page';
import type { PanelServices } from './services';

/** A burst of changes while an agent writes is painted once, this many milliseconds after its first. */
const paintAfter = 80;

/** One webview of the panel, in the side bar or in an editor tab, kept up to date with the inspector. */
export class Panel implements vscode.Disposable {
  readonly #disposables: vscode.Disposable[] = [];
  #shown: SessionView | null = null;
  #painting: NodeJS.Timeout | undefined;

  constructor(
    private readonly webview: vscode.Webview,
    private readonly services: PanelServices,
    placement: 'view' | 'editor',
  ) {
    webview.options = { enableScripts: true, localResourceRoots: [panelFolder(services.extensionUri)] };
    const context: HandlerContext = { ...services, placement, start: () => this.#currentView() };
    const handlers = panelHandlers(context);
    const { inspector, sessions, log } = services;
    this.#disposables.push(
      webview.onDidReceiveMessage(async (message: unknown) => {
        const reply = await answer(message, handlers, (method, error) =>
          log.error(`${method}: ${failureDetail(error)}`),
        );
        if (reply) this.#post(reply);
      }),
      inspector.onDidOpen(() => this.#showOpened()),
      inspector.onDidChange(() => this.#schedule()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (!change.affectsConfiguration(settingsSection)) return;
        this.notify('summarizer-changed', { summarizer: summarizerView() });
        this.#schedule();
      }),
      sessions.onDidChange((listed) => this.notify('sessions-changed', { sessions: listed })),
      inspector.onDidChangeBusy(() => this.notify('busy-changed', { busy: busyView(inspector) })),
    );
    webview.html = panelPage(webview, services.extensionUri);
  }

  notify<T extends Topic>(topic: T, body: Notifications[T]): void {
    this.#post({ kind: 'notification', topic, body } as ToWebview);
  }

  /** What the webview is told when it starts, and remembered as what it shows. */
  #currentView(): SessionView | null {
    const { inspector, views } = this.services;
    this.#shown = inspector.inspection ? views.viewOf(inspector.inspection, inspector.automationStopped) : null;
    return this.#shown;
  }

  #showOpened(): void {
    const view = this.#currentView();
    if (view) this.notify('session-opened', { view });
    else this.notify('session-closed', {});
  }

  #schedule(): void {
    this.#painting ??= setTimeout(() => {
      this.#painting = undefined;
      this.#showChange();
    }, paintAfter);
  }

  #showChange(): void {
    const before = this.#shown;
    if (!before) return;
    const after = this.#currentView();
    if (after) this.notify('session-changed', { change: sessionChange(before, after) });
  }

  #post(message: ToWebview): void {
    void this.webview.postMessage(message);
  }

  dispose(): void {
    clearTimeout(this.#painting);
    for (const disposable of this.#disposables) disposable.dispose();
  }
}
