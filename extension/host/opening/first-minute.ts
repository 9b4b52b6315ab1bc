import * as vscode from 'vscode';
import { tokensText } from '../../engine/wording/tokens-text';
import type { FillView, SessionListItem } from '../../protocol/view';
import { commandIds } from '../command-ids';
import { offer } from '../dialogs';
import { failureDetail } from '../failures/failure-text';
import { settingsSection, startupMode } from '../settings';
import { ageText, fillShare, fillText, placeParts, titleText } from '../view/session-text';
import { type OpeningServices, openNewest } from './open-newest';

interface FirstMinuteServices extends OpeningServices {
  /** State for all workspaces on this machine. */
  readonly state: vscode.Memento;
  readonly log: vscode.LogOutputChannel;
}

/** The walkthrough was opened once. */
const introducedKey = 'strata.introduced';
/** Whether a notification has offered a session once. */
const offeredKey = 'strata.offered';

/**
 * Shows how full the newest session of the open folder is, without being asked: in the status bar until a session is open, and the first
 * time in a notification. The setting may open the session at once, or switch all of this off.
 */
export class FirstMinute implements vscode.Disposable {
  readonly #item = new NewestItem(commandIds.openNewest);
  readonly #disposables: vscode.Disposable[];
  #isOffering = false;

  constructor(private readonly services: FirstMinuteServices) {
    const { inspector, sessions } = services;
    this.#disposables = [
      this.#item,
      inspector.onDidOpen(() => this.#update()),
      sessions.onDidChange(() => this.#update()),
      vscode.workspace.onDidChangeConfiguration((change) => {
        if (change.affectsConfiguration(settingsSection)) this.#update();
      }),
    ];
    this.#run(this.#start());
  }

  async #start(): Promise<void> {
    await this.#introduce();
    if (startupMode() === 'open' && this.services.inspector.inspection === null) await openNewest(this.services);
    else await this.#refresh();
  }

  /**
   * VS Code opens an extension's walkthrough only if a person installs it by hand. This covers all other installations, unless
   * `openOnInstall` is off.
   */
  async #introduce(): Promise<void> {
    const { state } = this.services;
    if (state.get(introducedKey)) return;
    await state.update(introducedKey, true);
    const isWanted = vscode.workspace
      .getConfiguration('workbench.welcomePage.walkthroughs')
      .get<boolean>('openOnInstall', true);
    if (isWanted) await vscode.commands.executeCommand(commandIds.openWalkthrough);
  }

  #update(): void {
    this.#run(this.#refresh());
  }

  async #refresh(): Promise<void> {
    const newest = await this.#filledSession();
    this.#item.show(newest);
    if (newest !== null) await this.#offerOnce(newest);
  }

  /** Null if a session is open, nothing is known, or nothing is wanted. */
  async #filledSession(): Promise<FilledSession | null> {
    const { inspector, sessions } = this.services;
    const isIdle = () => inspector.inspection === null && inspector.opening === null;
    if (!isIdle() || startupMode() === 'none') return null;
    const newest = await sessions.newestHere();
    if (newest?.fill === undefined || !isIdle()) return null;
    return { ...newest, fill: newest.fill };
  }

  async #offerOnce(session: FilledSession): Promise<void> {
    const { state } = this.services;
    if (this.#isOffering || state.get(offeredKey) || startupMode() !== 'offer') return;
    this.#isOffering = true;
    await state.update(offeredKey, true);
    const message = vscode.l10n.t(
      'The newest session of {0} in this folder fills {1} of its context window: “{2}”',
      session.agentName,
      fillShare(session.fill),
      titleText(session),
    );
    await offer(message, { [vscode.l10n.t('Show')]: () => openNewest(this.services) });
  }

  #run(work: Promise<void>): void {
    work.catch((error) => this.services.log.error(`The newest session could not be offered: ${failureDetail(error)}`));
  }

  dispose(): void {
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

/** Its place is beside the language items, like that of an open session. */
const priority = 90;

/** A session whose agent reported its context. */
type FilledSession = SessionListItem & { readonly fill: FillView };

/** Status bar item that shows how full a session's context is before the session is opened. */
class NewestItem implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('strata.newest', vscode.StatusBarAlignment.Right, priority);

  constructor(command: string) {
    this.#item.name = vscode.l10n.t('Strata Newest Session');
    this.#item.command = command;
  }

  show(session: FilledSession | null): void {
    if (session === null) {
      this.#item.hide();
      return;
    }
    const { fill, agentName } = session;
    this.#item.text = `$(layers) ${tokensText(fill.tokens)} · ${fillShare(fill)}`;
    const label = vscode.l10n.t('Newest session of this folder: {0}', fillText(fill));
    this.#item.accessibilityInformation = { label, role: 'button' };
    this.#item.tooltip = [
      `${agentName}: ${titleText(session)}`,
      [...placeParts(session), ageText(session, Date.now())].join(' · '),
      label,
      vscode.l10n.t('Click to see what fills the context.'),
    ].join('\n');
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}
