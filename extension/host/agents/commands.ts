import * as vscode from 'vscode';
import { tellingFailures } from '../failures/telling-failures';
import type { Placements } from '../panel/placements';
import { agentCommandIds } from './command-ids';

/** Opens the page of the panel on which agents are set up. */
export function registerAgentCommands(placements: Placements, log: vscode.LogOutputChannel): vscode.Disposable {
  const id = agentCommandIds.setUp;
  return vscode.commands.registerCommand(id, () =>
    tellingFailures(log, id, () => placements.tell('show', { what: 'agents' })),
  );
}
