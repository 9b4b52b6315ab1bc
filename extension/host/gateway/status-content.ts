import * as vscode from 'vscode';
import type { Upstreams } from '../../gateway/address';

export interface GatewayStatus {
  /** Without the token. */
  readonly url: string;
  readonly requests: number;
  readonly upstreams: Upstreams;
}

export interface GatewayStatusContent {
  readonly text: string;
  /** Text for screen readers. */
  readonly label: string;
  /** Plain text: addresses of a person's settings stand in it. */
  readonly lines: readonly string[];
}

export function gatewayStatusContent({ url, requests, upstreams }: GatewayStatus): GatewayStatusContent {
  return {
    text: `$(arrow-swap) ${vscode.l10n.t('Gateway')}`,
    label: vscode.l10n.t('The gateway of Strata is running. Requests so far: {0}', requests),
    lines: [
      vscode.l10n.t('The gateway of Strata runs at {0}', url),
      vscode.l10n.t('Requests so far: {0}', requests),
      vscode.l10n.t('They go to {0} (OpenAI) and {1} (Anthropic)', upstreams.openai, upstreams.anthropic),
    ],
  };
}
