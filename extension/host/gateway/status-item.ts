import * as vscode from 'vscode';
import type { Upstreams } from '../../gateway/address';
import { gatewayCommandId } from '../command-ids';

/** Its place is to the right of the context's size. */
const priority = 89;

/** A status bar item that is shown while the gateway runs. */
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

  #paint({ url, requests, upstreams }: GatewayStatus): void {
    this.#item.text = `$(arrow-swap) ${vscode.l10n.t('Gateway')}`;
    const label = vscode.l10n.t('The gateway of Strata is running. Requests so far: {0}', requests);
    this.#item.accessibilityInformation = { label, role: 'button' };
    const lines = [
      vscode.l10n.t('The gateway of Strata runs at {0}', url),
      vscode.l10n.t('Requests so far: {0}', requests),
      vscode.l10n.t('They go to {0} (OpenAI) and {1} (Anthropic)', upstreams.openai, upstreams.anthropic),
    ];
    const tooltip = new vscode.MarkdownString();
    // The lines are added as plain text, because the addresses come from a person's settings.
    for (const line of lines) tooltip.appendText(line).appendMarkdown('\n\n');
    this.#item.tooltip = tooltip;
    this.#item.show();
  }

  dispose(): void {
    this.#item.dispose();
  }
}

interface GatewayStatus {
  /** Without the token. */
  readonly url: string;
  readonly requests: number;
  readonly upstreams: Upstreams;
}
