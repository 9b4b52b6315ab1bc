import * as vscode from 'vscode';
import type { EvaluationServices } from './services';

/** Sessions to replay: a folder, or files. */
type ChosenSessions = string | readonly string[];

interface SessionsPick extends vscode.QuickPickItem {
  readonly choose: () => Promise<ChosenSessions | null>;
}

/** Null if the person cancels. */
export async function chooseSessions({
  sessions,
}: Pick<EvaluationServices, 'sessions'>): Promise<ChosenSessions | null> {
  const listed = await sessions.read();
  const here = listed.filter((session) => sessions.isOfOpenFolder(session));
  const picks = [
    ...(here.length > 0 ? [filesPick(vscode.l10n.t('The sessions of this workspace'), here)] : []),
    ...(listed.length > 0 ? [filesPick(vscode.l10n.t('All sessions'), listed)] : []),
    folderPick(),
  ];
  const placeHolder = vscode.l10n.t('Sessions to replay (read only, without a model)');
  const chosen = await vscode.window.showQuickPick(picks, { placeHolder });
  return (await chosen?.choose()) ?? null;
}

function filesPick(label: string, found: readonly { readonly file: string }[]): SessionsPick {
  const description = found.length === 1 ? vscode.l10n.t('1 session') : vscode.l10n.t('{0} sessions', found.length);
  return { label, description, choose: async () => found.map(({ file }) => file) };
}

function folderPick(): SessionsPick {
  return {
    label: vscode.l10n.t('A folder…'),
    description: vscode.l10n.t('all session files below it'),
    async choose() {
      const options = { canSelectFolders: true, canSelectFiles: false, title: vscode.l10n.t('Folder with sessions') };
      const [folder] = (await vscode.window.showOpenDialog(options)) ?? [];
      return folder?.fsPath ?? null;
    },
  };
}
