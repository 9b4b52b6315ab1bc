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
    private readonly log: vscode.LogOutputChannel,
  ) {}

  async read(): Promise<readonly SessionListItem[]> {
    const { sessionFolders } = readSettings();
    const { sessions, issues } = await discoverSessions(this.environment, {
      limit: mostListed,
      folders: sessionFolders,
    });
    for (const issue of issues) this.log.warn(`${issue.file}: ${issue.message}`);
    const here = sessions.filter(isOfOpenFolder);
    return [...here, ...sessions.filter((session) => !here.includes(session))].map(listItem);
  }
}

function isOfOpenFolder({ cwd }: SessionSummary): boolean {
  return cwd !== null && (vscode.workspace.workspaceFolders ?? []).some((folder) => folder.uri.fsPath === cwd);
}

function listItem({ agent, file, title, cwd, modified, live }: SessionSummary): SessionListItem {
  return { agent, agentName: agentNames[agent], file, title, cwd, modified, live };
}
