import * as vscode from 'vscode';
import { failureDetail, failureText } from './failure-text';

/** A command that fails says so where the person is looking; the log has the rest. */
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
