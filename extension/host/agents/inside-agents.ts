import * as vscode from 'vscode';
import type { CompactingThreads } from '../../conversations/threads/compacting-threads';
import type { AgentServices } from '../../inside/call';
import { agentPlaces } from '../../inside/places';
import { Preparations } from '../../inside/service/preparations';
import { type AgentService, serveAgents } from '../../inside/service/serve';
import { writeSetup } from '../../inside/service/setup';
import type { WrittenWriter } from '../../inside/service/writer';
import type { ChosenWriter } from '../../inside/writer';
import type { AgentEnvironment } from '../../platform/files/environment';
import type { ModelAccess } from '../models/model-access';
import { isSummarizerChosen, readModelSettings } from '../models/model-settings';
import { readSettings, settingsSection } from '../settings';

interface InsideAgentsParts {
  readonly environment: AgentEnvironment;
  readonly journals: string;
  readonly models: Pick<ModelAccess, 'toolsFor'>;
  readonly threads: Pick<CompactingThreads, 'background'>;
  readonly log: vscode.LogOutputChannel;
}

/**
 * Answers Strata's plugins inside agents with the editor's settings and journals. Both are also written to a file, for plugins that call
 * while no editor runs.
 */
export function registerInsideAgents(parts: InsideAgentsParts): vscode.Disposable {
  const { environment, journals, models, threads, log } = parts;
  const { running, setup } = agentPlaces(environment);
  const tell = (error: unknown) => log.warn(`Plugins inside agents are not answered by this editor: ${error}`);
  const saveSetup = async () => {
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
  void saveSetup();
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration(settingsSection)) void saveSetup();
    }),
    new vscode.Disposable(() => preparations.close()),
    new vscode.Disposable(() => void service.then((started) => started?.close())),
  );
}

type Models = Pick<ModelAccess, 'toolsFor'>;

/** The writer of blocks for sessions in agents, by the settings. */
function chosenWriter(models: Models): ChosenWriter {
  if (readModelSettings().kind !== 'none') return { kind: 'model', tools: () => models.toolsFor('automatic') };
  return { kind: isSummarizerChosen() ? 'nobody' : 'unanswered' };
}

/** The same for programs that run without the editor. They get neither a key nor a model to which the person did not agree. */
async function writtenWriter(models: Models): Promise<WrittenWriter> {
  const writer = chosenWriter(models);
  if (writer.kind !== 'model') return writer;
  const ready = await writer.tools();
  if (ready.kind === 'refused') return { kind: 'editor', message: ready.message };
  const { kind, command, openAi } = readModelSettings();
  if (kind === 'command') return { kind, ...command, line: [...command.line] };
  const { baseUrl, model, timeoutMs, contextWindow } = openAi;
  if (kind === 'openai') return { kind, baseUrl, model, timeoutMs, contextWindow };
  return { kind: 'editor', message: vscode.l10n.t('Only VS Code can ask its language models, and it is not running.') };
}
