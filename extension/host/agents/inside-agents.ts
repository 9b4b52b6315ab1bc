import * as vscode from 'vscode';
import type { CompactingThreads } from '../../conversations/threads/compacting-threads';
import type { AgentServices } from '../../inside/answer';
import { agentPlaces } from '../../inside/places';
import { Preparations } from '../../inside/service/preparations';
import { type AgentService, serveAgents } from '../../inside/service/serve';
import { writeSetup } from '../../inside/service/setup';
import type { AgentEnvironment } from '../../platform/files/environment';
import type { ModelAccess } from '../models/model-access';
import { readSettings, settingsSection } from '../settings';
import { chosenWriter, writtenWriter } from './writer';

export interface InsideAgentsParts {
  readonly environment: AgentEnvironment;
  /** The folder of the journals. */
  readonly journals: string;
  readonly models: Pick<ModelAccess, 'toolsFor'>;
  readonly threads: Pick<CompactingThreads, 'background'>;
  readonly log: vscode.LogOutputChannel;
}

/**
 * Answers Strata's plugins inside agents with the editor's settings and journals. Both are also written down, for plugins
 * that call while no editor runs.
 */
export function registerInsideAgents(parts: InsideAgentsParts): vscode.Disposable {
  const { environment, journals, models, threads, log } = parts;
  const { running, setup } = agentPlaces(environment);
  const tell = (error: unknown) => log.warn(`Plugins inside agents are not answered by this editor: ${error}`);
  const keepSetup = async () => {
    try {
      await writeSetup(setup, { journals, settings: readSettings(), writer: await writtenWriter(models) });
    } catch (error) {
      tell(error);
    }
  };
  const services: AgentServices = {
    environment,
    journals,
    settings: readSettings,
    writer: () => chosenWriter(models),
    background: () => threads.background(),
    now: () => new Date().toISOString(),
  };
  const preparations = new Preparations(services, (message) => log.warn(message));
  const serving = serveAgents({ ...services, prepares: preparations.begin }, running);
  const service: Promise<AgentService | null> = serving.catch((error) => {
    tell(error);
    return null;
  });
  void keepSetup();
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(settingsSection)) void keepSetup();
    }),
    new vscode.Disposable(() => preparations.close()),
    new vscode.Disposable(() => void service.then((started) => started?.close())),
  );
}
