import { join, sep } from 'node:path';
import * as vscode from 'vscode';
import type { SessionListItem } from '../protocol/view';
import type { AgentEnvironment } from '../sessions/adapter';
import { discoverSessions } from '../sessions/discover';
import { agentNames, type SessionSummary } from '../sessions/session';
import { readSettings } from './settings';

/** More than anyone scrolls through; the rest can be opened by file. */
const mostListed = 300;

/** The sessions of all agents, newest first; those of the open folder before the others. */
export class SessionList {
  constructor(
    private readonly environment: AgentEnvironment,
    /** Where this window's workspace has its data; null where no folder is open. */
    private readonly workspaceStorage: string | null,
    private readonly log: vscode.LogOutputChannel,
  ) {}

  async read(): Promise<readonly SessionListItem[]> {
    const { sessionFolders } = readSettings();
    const { sessions, issues } = await discoverSessions(this.environment, {
      limit: mostListed,
      folders: sessionFolders,
    });
    for (const issue of issues) this.log.warn(`${issue.file}: ${issue.message}`);
    const here = sessions.filter((session) => this.#isOfOpenFolder(session));
    return [...here, ...sessions.filter((session) => !here.includes(session))].map(listItem);
  }

  /** The chats of VS Code lie with the data of their workspace, and most do not say which folder that is. */
  #isOfOpenFolder({ cwd, file }: SessionSummary): boolean {
    const folders = vscode.workspace.workspaceFolders ?? [];
    if (cwd !== null) return folders.some((folder) => folder.uri.fsPath === cwd);
    return this.workspaceStorage !== null && file.startsWith(join(this.workspaceStorage, sep));
  }
}

function listItem({ agent, file, title, cwd, modified, live }: SessionSummary): SessionListItem {
  return { agent, agentName: agentNames[agent], file, title, cwd, modified, live };
}
