import * as vscode from 'vscode';
import type { AgentServices } from '../../agents/answer';
import { agentPlaces } from '../../agents/places';
import { type AgentService, serveAgents } from '../../agents/service/serve';
import { writeSetup } from '../../agents/service/setup';
import type { CompactingThreads } from '../../conversations/threads/compacting-threads';
import type { AgentEnvironment } from '../../sessions/adapter';
import { readSettings, settingsSection } from '../settings';

export interface InsideAgentsParts {
  readonly environment: AgentEnvironment;
  /** The folder of the journals. */
  readonly journals: string;
  readonly threads: Pick<CompactingThreads, 'background'>;
  readonly log: vscode.LogOutputChannel;
}

/**
 * Answers Strata's plugins inside agents with the editor's settings and journals. Both are also written down, for plugins
 * that call while no editor runs.
 */
export function registerInsideAgents({ environment, journals, threads, log }: InsideAgentsParts): vscode.Disposable {
  const { running, setup } = agentPlaces(environment);
  const tell = (error: unknown) => log.warn(`Plugins inside agents are not answered by this editor: ${error}`);
  const keepSetup = () => writeSetup(setup, { journals, settings: readSettings() }).catch(tell);
  const services: AgentServices = {
    environment,
    journals,
    settings: readSettings,
    background: () => threads.background(),
    now: () => new Date().toISOString(),
  };
  const service: Promise<AgentService | null> = serveAgents(services, running).catch((error) => {
    tell(error);
    return null;
  });
  void keepSetup();
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(settingsSection)) void keepSetup();
    }),
    new vscode.Disposable(() => void service.then((started) => started?.close())),
  );
}
