import { delimiter, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { type ResumeCommand, resumeLine } from '../../inspection/fork/resume';
import { OperationRefused } from '../../inspection/inspection';
import { exists } from '../../platform/files/exists';
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
    return (await isOnPath(command[0] ?? '')) ? 'sent' : 'failed';
  }
  const execution = shell.executeCommand(line);
  const exitCode = await within(endPatience, exitOf(execution));
  return exitCode === undefined || exitCode === 0 ? 'sent' : 'failed';
}

/** Null if the shell has no integration with the editor. */
async function shellOf(terminal: vscode.Terminal): Promise<vscode.TerminalShellIntegration | null> {
  if (terminal.shellIntegration) return terminal.shellIntegration;
  const changed = new Promise<vscode.TerminalShellIntegration>((resolve) => {
    const listener = vscode.window.onDidChangeTerminalShellIntegration((event) => {
      if (event.terminal !== terminal) return;
      listener.dispose();
      resolve(event.shellIntegration);
    });
  });
  return (await within(shellPatience, changed)) ?? null;
}

function exitOf(execution: vscode.TerminalShellExecution): Promise<number | undefined> {
  return new Promise((resolve) => {
    const listener = vscode.window.onDidEndTerminalShellExecution((event) => {
      if (event.execution !== execution) return;
      listener.dispose();
      resolve(event.exitCode);
    });
  });
}

async function within<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  return await Promise.race([promise, delay(milliseconds, undefined, { ref: false })]);
}

async function isOnPath(program: string): Promise<boolean> {
  const suffixes = process.platform === 'win32' ? ['.exe', '.cmd', '.bat', '.ps1'] : [''];
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    for (const suffix of suffixes) if (folder !== '' && (await exists(join(folder, program + suffix)))) return true;
  }
  return false;
}

export async function isFolder(path: string): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(vscode.Uri.file(path))).type & vscode.FileType.Directory) !== 0;
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return false;
    throw error;
  }
}
