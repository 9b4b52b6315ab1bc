import * as vscode from 'vscode';

/** A link in a session is somebody else's word: it is shown in full and opened only when the person agrees. */
export async function openLink(url: string): Promise<void> {
  const uri = safeUri(url);
  if (!uri) {
    void vscode.window.showWarningMessage(vscode.l10n.t('Strata opens web and mail links only. This one is: {0}', url));
    return;
  }
  const open = vscode.l10n.t('Open');
  const detail = vscode.l10n.t('The link stands in the session: {0}', uri.toString(true));
  const chosen = await vscode.window.showInformationMessage(
    vscode.l10n.t('Open this link outside of the editor?'),
    { modal: true, detail },
    open,
  );
  if (chosen === open) await vscode.env.openExternal(uri);
}

const safeSchemes: ReadonlySet<string> = new Set(['http', 'https', 'mailto']);

function safeUri(url: string): vscode.Uri | null {
  if (!URL.canParse(url)) return null;
  const uri = vscode.Uri.parse(new URL(url).href, true);
  return safeSchemes.has(uri.scheme) ? uri : null;
}
