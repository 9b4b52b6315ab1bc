import * as vscode from 'vscode';
import { offer } from '../dialogs';
import { failureDetail, failureText } from './failure-text';

/** Runs a command. Shows a failure as an error message and logs the details. */
export async function tellingFailures(log: vscode.LogOutputChannel, id: string, work: () => unknown): Promise<void> {
  try {
    await work();
  } catch (error) {
    log.error(`${id}: ${failureDetail(error)}`);
    void offer(failureText(error), { [vscode.l10n.t('Show Log')]: () => log.show() }, 'Error');
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
