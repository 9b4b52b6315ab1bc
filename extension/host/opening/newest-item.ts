import * as vscode from 'vscode';
import { tokensText } from '../../engine/wording/tokens-text';
import type { FillView, SessionListItem } from '../../protocol/view';
import { ageText, fillShare, fillText, placeParts, titleText } from '../view/session-text';

/** Its place is beside the language items, like that of an open session. */
const priority = 90;

/** A session whose agent reported its context. */
export type FilledSession = SessionListItem & { readonly fill: FillView };

/** Status bar item that shows how full a session's context is before the session is opened. */
export class NewestItem implements vscode.Disposable {
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
