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

/** Registers commands by their ids. Each shows its failures. */
export function registerHandlers(
  log: vscode.LogOutputChannel,
  handlers: Readonly<Record<string, (...args: never[]) => unknown>>,
): vscode.Disposable {
  return vscode.Disposable.from(
    ...Object.entries(handlers).map(([id, handler]) =>
      vscode.commands.registerCommand(id, (...args: never[]) => tellingFailures(log, id, () => handler(...args))),
    ),
  );
}

async function offerLog(log: vscode.LogOutputChannel, message: string): Promise<void> {
  const showLog = vscode.l10n.t('Show Log');
  if ((await vscode.window.showErrorMessage(message, showLog)) === showLog) log.show();
}
