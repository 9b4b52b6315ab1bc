import * as vscode from 'vscode';
import { languageApi, nothingRegistered } from '../language-api';

/** As in package.json. */
const providerId = 'strata.mcp';
const setting = 'strata.mcp.enabled';
const reachSetting = 'strata.mcp.allProjects';

/** Whether agents may read the sessions of all projects through the server, not only those of their own. */
export function readsAllProjects(): boolean {
  return vscode.workspace.getConfiguration().get<boolean>(reachSetting) ?? false;
}

/**
 * Offers the MCP server to agents in VS Code that take their tools only from MCP servers. Chat gets the same tools from the extension, so
 * this is off by default.
 */
export function registerMcpServer(program: string, journals: string, version: string): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  return vscode.Disposable.from(
    changed,
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration('strata.mcp')) changed.fire();
    }),
    languageApi().registerMcpServerDefinitionProvider?.(providerId, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions: () =>
        vscode.workspace.getConfiguration().get<boolean>(setting) ? [definition(program, journals, version)] : [],
    }) ?? nothingRegistered,
  );
}

function definition(program: string, journals: string, version: string): vscode.McpStdioServerDefinition {
  const args = [program, '--journal', journals, 'mcp', ...(readsAllProjects() ? ['--all-projects'] : [])];
  // The editor's own Node.js runs the program.
  const server = new vscode.McpStdioServerDefinition('Strata', process.execPath, args, { ELECTRON_RUN_AS_NODE: '1' });
  server.version = version;
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (folder) server.cwd = folder.uri;
  return server;
}
