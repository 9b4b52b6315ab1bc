import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { type ResumeCommand, resumeLine } from '../../inspection/fork/resume';
import { OperationRefused } from '../../inspection/inspection';
import { programOnPath } from '../../models/command/program-on-path';
import { agentNames, type Session } from '../../sessions/session';

/** How a command started in a terminal. `failed`: its shell reports that it could not be started. */
type Start = 'sent' | 'failed';

/** In milliseconds: if a shell reports to the editor at all, it does so within this time. */
const shellPatience = 4000;
/** In milliseconds: a command that cannot be started has ended by then. */
const endPatience = 2000;

export async function runInTerminal(agent: Session['agent'], { cwd, command }: ResumeCommand): Promise<Start> {
  if (cwd !== null && !(await isFolder(cwd))) {
    throw new OperationRefused(vscode.l10n.t('The folder that this session is about is not there: {0}', cwd));
  }
  const terminal = vscode.window.createTerminal({ name: agentNames[agent], ...(cwd === null ? {} : { cwd }) });
  terminal.show();
  const line = resumeLine({ cwd: null, command });
  const shell = await shellOf(terminal);
  if (shell === null) {
    terminal.sendText(line);
    return (await programOnPath(command.slice(0, 1), process.env)) === null ? 'failed' : 'sent';
  }
  const execution = shell.executeCommand(line);
  const ends = vscode.window.onDidEndTerminalShellExecution;
  const end = await within(endPatience, ends, (event) => event.execution === execution);
  return end?.exitCode === undefined || end.exitCode === 0 ? 'sent' : 'failed';
}

/** Null if the shell has no integration with the editor. */
async function shellOf(terminal: vscode.Terminal): Promise<vscode.TerminalShellIntegration | null> {
  if (terminal.shellIntegration) return terminal.shellIntegration;
  const changes = vscode.window.onDidChangeTerminalShellIntegration;
  const change = await within(shellPatience, changes, (event) => event.terminal === terminal);
  return change?.shellIntegration ?? null;
}

/** The first such event within this time; undefined if there is none. */
async function within<T>(
  milliseconds: number,
  on: vscode.Event<T>,
  isWanted: (event: T) => boolean,
): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<T>();
  const listener = on((event) => {
    if (isWanted(event)) resolve(event);
  });
  const found = await Promise.race([promise, delay(milliseconds, undefined, { ref: false })]);
  listener.dispose();
  return found;
}

export async function isFolder(path: string): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(vscode.Uri.file(path))).type & vscode.FileType.Directory) !== 0;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return false;
    throw error;
  }
}
