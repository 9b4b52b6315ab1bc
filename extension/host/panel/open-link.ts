import * as vscode from 'vscode';
import { hasInvisibleCharacters } from '../opening/session-uri';

/** Links in sessions are untrusted, so the full link is shown and opened only after confirmation. */
export async function openLink(url: string): Promise<void> {
  if (hasInvisibleCharacters(url))
    return refuse(vscode.l10n.t('This link contains invisible characters. It was not opened.'));
  const href = safeAddress(url);
  if (href === null) return refuse(vscode.l10n.t('Strata opens only web and mail links. This link is: {0}', url));
  const open = vscode.l10n.t('Open');
  const detail = vscode.l10n.t('Link in the session: {0}', href);
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('Open this link outside of the editor?'),
    { modal: true, detail },
    open,
  );
  if (chosen === open) await vscode.env.openExternal(vscode.Uri.parse(href, true));
}

function refuse(message: string): void {
  void vscode.window.showWarningMessage(message);
}

const safeProtocols: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:']);

/** The normalized URL, in which characters that could distort a dialog are encoded; null for other protocols. */
function safeAddress(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return safeProtocols.has(protocol) ? href : null;
}
