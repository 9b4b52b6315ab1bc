import * as vscode from 'vscode';
import { gatewayCommandId } from '../command-ids';
import { type GatewayStatus, gatewayStatusContent } from './status-content';

/** To the right of the context's size. */
const priority = 89;

/** In the status bar while the gateway runs. */
export class GatewayStatusItem implements vscode.Disposable {
  readonly #item = vscode.window.createStatusBarItem('strata.gateway', vscode.StatusBarAlignment.Right, priority);

  constructor() {
    this.#item.name = vscode.l10n.t('Strata Gateway');
    this.#item.command = gatewayCommandId;
  }

  show(status: GatewayStatus | null): void {
    if (status === null) this.#item.hide();
    else this.#paint(status);
  }

  #paint(status: GatewayStatus): void {
    const { text, label, lines } = gatewayStatusContent(status);
    this.#item.text = text;
    this.#item.accessibilityInformation = { label, role: 'button' };
    const tooltip = new vscode.MarkdownString();
    for (const line of lines) tooltip.appendText(line).appendMarkdown('\n\n');
    this.#item.tooltip = tooltip;
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}
