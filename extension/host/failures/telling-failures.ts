import * as vscode from 'vscode';
import { failureDetail, failureText } from './failure-text';

/** Runs a command. Shows a failure as an error message and logs the details. */
export async function tellingFailures(log: vscode.LogOutputChannel, id: string, work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error(`${id}: ${failureDetail(error)}`);
    void offerLog(log, failureText(error));
  }
}

async function offerLog(log: vscode.LogOutputChannel, message: string): Promise<void> {
  const showLog = vscode.l10n.t('Show Log');
  if ((await vscode.window.showErrorMessage(message, showLog)) === showLog) log.show();
}
