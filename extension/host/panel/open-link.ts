import * as vscode from 'vscode';
import { hasUnseen } from '../opening/session-uri';

/** A link in a session is somebody else's word: it is shown in full and opened only when the person agrees. */
export async function openLink(url: string): Promise<void> {
  if (hasUnseen(url)) return refuse(vscode.l10n.t('This link has characters that are not seen. It was not opened.'));
  const href = safeAddress(url);
  if (href === null) return refuse(vscode.l10n.t('Strata opens web and mail links only. This one is: {0}', url));
  const open = vscode.l10n.t('Open');
  const detail = vscode.l10n.t('The link stands in the session: {0}', href);
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

/** As it is sent, with all that a dialog would break or turn its text at still encoded; null for another kind of link. */
function safeAddress(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return safeProtocols.has(protocol) ? href : null;
}
