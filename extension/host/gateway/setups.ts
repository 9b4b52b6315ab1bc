import * as vscode from 'vscode';
import { agentAddress } from '../../gateway/address';
import type { Gateway } from '../../gateway/gateway';
import { agentInstructions, variableLine } from '../../gateway/instructions';

/** How one agent is configured to use the gateway. */
export interface Setup {
  readonly name: string;
  readonly text: string;
  readonly place: /** The complete command that starts the agent. */
    | { readonly kind: 'command' }
    /** For the shell in which a program is then started. */
    | { readonly kind: 'variables' }
    | { readonly kind: 'file'; readonly file: string };
}

export function setupsFor(
  { url, token }: Pick<Gateway, 'url' | 'token'>,
  platform: NodeJS.Platform = process.platform,
): readonly Setup[] {
  const agents = agentInstructions(url, token, platform).map(({ agent, place, text }): Setup => {
    if (place === 'shell' || place === 'PowerShell') return { name: agent, text, place: { kind: 'command' } };
    return { name: agent, text: indented(text), place: { kind: 'file', file: place } };
  });
  return [
    ...agents,
    variables('OpenAI SDK', variableLine('OPENAI_BASE_URL', agentAddress(url, token, 'openai'), platform)),
    variables('Anthropic SDK', variableLine('ANTHROPIC_BASE_URL', agentAddress(url, token, 'anthropic'), platform)),
  ];
}

function variables(name: string, text: string): Setup {
  return { name, text, place: { kind: 'variables' } };
}

function indented(json: string): string {
  return `${JSON.stringify(JSON.parse(json), null, 2)}\n`;
}

export function placeText({ place }: Setup): string {
  switch (place.kind) {
    case 'command':
      return vscode.l10n.t('for the terminal');
    case 'variables':
      return vscode.l10n.t('variable for the terminal');
    case 'file':
      return place.file;
  }
}

/** How to use the copied text. */
export function copiedText({ name, place }: Setup): string {
  switch (place.kind) {
    case 'command':
      return vscode.l10n.t('Copied. Paste it into a terminal: it starts {0} through the gateway.', name);
    case 'variables':
      return vscode.l10n.t('Copied. Paste it into the terminal that you start your program from.');
    case 'file':
      return vscode.l10n.t('Copied. Add it to {0}, the settings of {1}.', place.file, name);
  }
}
