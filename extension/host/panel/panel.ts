import { setImmediate as othersHadTheirTurn } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { Inspection } from '../../inspection/inspection';
import type { Notifications, Topic } from '../../protocol/messages';
import { answer, type ToWebview } from '../../protocol/rpc';
import type { SessionView } from '../../protocol/view';
import { failureDetail, failureText } from '../failures/failure-text';
import { summarizerView } from '../models/summarizer-view';
import { settingsSection } from '../settings';
import { ShownSession } from '../view/session-change';
import { busyView } from './busy';
import { type HandlerContext, panelHandlers } from './handlers';
import { panelFolder, panelPage } from './page';
import { newPreviews } from './previews';
import type { PanelServices } from './services';
import { Travel } from './travel';

/** Combines a burst of changes into one update. */
const paintDelayMs = 80;

/** One webview, in the side bar or an editor tab, kept up to date with the inspector. */
export class Panel implements vscode.Disposable {
  readonly #disposables: vscode.Disposable[] = [];
  readonly #shown = new ShownSession();
  readonly #travel = new Travel();
  #painting: NodeJS.Timeout | undefined;
  #isPainting = false;
  /** Something changed during painting. */
  #isOutdated = false;
  #isDisposed = false;
  /** The page has asked for its first view, so it receives notifications. */
  #hasStarted = false;
  /** Shown as soon as the page is ready. */
  #toShow: Notifications['show'] | null = null;

  constructor(
    private readonly webview: vscode.Webview,
    private readonly services: PanelServices,
    placement: 'view' | 'editor',
  ) {
    webview.options = { enableScripts: true, localResourceRoots: [panelFolder(services.extensionUri)] };
    const previews = newPreviews();
    const context: HandlerContext = {
      ...services,
      placement,
      previews,
      start: () => {
        this.#hasStarted = true;
        return this.#firstView();
      },
      travel: this.#travel,
      travelled: () => this.#schedule(0),
    };
    const handlers = panelHandlers(context);
    const { inspector, sessions, evaluations, log } = services;
    this.#disposables.push(
      webview.onDidReceiveMessage(async (message: unknown) => {
        const reply = await answer(
          message,
          handlers,
          (method, error) => log.error(`${method}: ${failureDetail(error)}`),
          failureText,
        );
        if (reply) this.#post(reply);
        if (this.#hasStarted) this.#showWaiting();
      }),
      inspector.onDidOpen(() => {
        previews.clear();
        this.#travel.back();
        this.#showOpened();
      }),
      inspector.onDidChange(() => this.#schedule()),
      inspector.onDidChangeOpening(() => this.notify('opening-changed', { opening: inspector.opening })),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (!change.affectsConfiguration(settingsSection)) return;
        this.notify('summarizer-changed', { summarizer: summarizerView() });
        this.#schedule();
      }),
      sessions.onDidChange((listed) => this.notify('sessions-changed', { sessions: listed })),
      evaluations.onDidChange((state) => this.notify('evaluation-changed', { state })),
      inspector.onDidChangeBusy(() => this.notify('busy-changed', { busy: busyView(inspector) })),
    );
    webview.html = panelPage(webview, services.extensionUri);
  }

  notify<T extends Topic>(topic: T, body: Notifications[T]): void {
    // A page that is still loading would miss it. Its first view contains everything else.
    if (topic === 'show' && !this.#hasStarted) this.#toShow = body as Notifications['show'];
    else this.#post({ kind: 'notification', topic, body } as ToWebview);
  }

  #showWaiting(): void {
    const body = this.#toShow;
    this.#toShow = null;
    if (body !== null) this.notify('show', body);
  }

  /** The first view of a session: all rows, or only the newest if there are very many. */
  #firstView(): SessionView | null {
    const { inspector, views } = this.services;
    const { inspection, automationStopped } = inspector;
    if (!inspection) return this.#shown.show(null);
    if (!views.isLongToMake(inspection)) return this.#shown.show(this.#viewOf(inspection));
    this.#schedule();
    return this.#shown.show(views.newestOf(inspection, automationStopped));
  }

  #showOpened(): void {
    const view = this.#firstView();
    if (view) this.notify('session-opened', { view });
    else this.notify('session-closed', {});
  }

  #schedule(delayMs = paintDelayMs): void {
    this.#isOutdated = true;
    if (this.#isPainting) return;
    this.#painting ??= setTimeout(() => void this.#paint(), delayMs);
  }

  async #paint(): Promise<void> {
    this.#painting = undefined;
    this.#isPainting = true;
    this.#isOutdated = false;
    try {
      await this.#showChange();
    } catch (error) {
      this.services.log.error(`The panel could not be painted: ${failureDetail(error)}`);
    }
    this.#isPainting = false;
    if (this.#isOutdated) this.#schedule();
  }

  async #showChange(): Promise<void> {
    const { inspector, views } = this.services;
    const { inspection } = inspector;
    if (!inspection || !this.#shown.view) return;
    if (views.isLongToMake(inspection)) await views.makeRows(inspection);
    if (!this.#isShown(inspection)) return;
    const changes = this.#shown.change(this.#viewOf(inspection));
    const { view } = this.#shown;
    for (const change of changes) {
      // Another session was opened, or the webview was reloaded.
      if (this.#shown.view !== view || this.#isDisposed) return;
      this.notify('session-changed', { change });
      if (changes.length > 1) await othersHadTheirTurn();
    }
  }

  #viewOf(inspection: Inspection): SessionView {
    const { inspector, views } = this.services;
    const past = this.#travel.pastOf(inspection);
    if (past === null) return views.viewOf(inspection, inspector.automationStopped);
    return views.viewAt(inspection, past, inspector.automationStopped);
  }

  #isShown(inspection: Inspection): boolean {
    return this.services.inspector.inspection === inspection && !this.#isDisposed;
  }

  #post(message: ToWebview): void {
    void this.webview.postMessage(message);
  }

  dispose(): void {
    this.#isDisposed = true;
    clearTimeout(this.#painting);
    for (const disposable of this.#disposables) disposable.dispose();
  }
}
