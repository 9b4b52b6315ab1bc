import * as vscode from 'vscode';
import type { CheckOutcome } from '../../agents/setup/check';
import { type FoundAgent, findAgents } from '../../agents/setup/found-agents';
import type { SetupPlan } from '../../agents/setup/plan';
import { AgentConfiguration } from '../../agents/setup/setup';
import type { AgentEnvironment } from '../../sessions/adapter';
import { agentNames } from '../../sessions/session';
import { workFolder } from '../conversations/work-folder';
import { tellingFailures } from '../failures/telling-failures';
import { agentCommandIds } from './command-ids';
import { nodeProgram } from './node-program';
import { PlannedFiles } from './planned-files';

export interface AgentSetupServices {
  readonly environment: AgentEnvironment;
  /** The file of the `strata` command, and the folder with a plugin for each agent. */
  readonly program: string;
  readonly plugins: string;
  readonly log: vscode.LogOutputChannel;
}

/** The same as `strata setup`: shows what it would write, asks, writes it, and has the agent check it. */
export function registerAgentSetup(services: AgentSetupServices): vscode.Disposable {
  const { log } = services;
  const files = new PlannedFiles();
  void keepLauncher(services).catch((error) => log.warn(`The launcher of the MCP server: ${error}`));
  return vscode.Disposable.from(
    files,
    vscode.commands.registerCommand(agentCommandIds.setUp, () =>
      tellingFailures(log, agentCommandIds.setUp, () => setUpAgent(services, files)),
    ),
  );
}

async function configurationOf({ environment, program, plugins }: AgentSetupServices): Promise<AgentConfiguration> {
  return new AgentConfiguration({ environment, plugins, program: await nodeProgram(program, environment) });
}

/** After an update, agents start the updated extension and its plugins. */
async function keepLauncher(services: AgentSetupServices): Promise<void> {
  await (await configurationOf(services)).refresh();
}

interface Choice extends vscode.QuickPickItem {
  readonly agent: FoundAgent;
  readonly removes: boolean;
}

async function setUpAgent(services: AgentSetupServices, files: PlannedFiles): Promise<void> {
  const configuration = await configurationOf(services);
  const chosen = await vscode.window.showQuickPick(choices(configuration, services), {
    title: vscode.l10n.t('Set up Strata in an agent'),
    placeHolder: vscode.l10n.t('You see every change before anything is written'),
  });
  if (!chosen) return;
  const { agent, removes } = chosen;
  const plan = removes
    ? await configuration.planRemoval(agent.setup.agent)
    : await configuration.planSetup(agent.setup);
  if (!(await agreed(plan, removes, files))) return;
  await configuration.carryOut(plan);
  const name = agentNames[agent.setup.agent];
  if (removes) void vscode.window.showInformationMessage(vscode.l10n.t('Strata was removed from {0}.', name));
  else await tellOfCheck(name, await checked(configuration, agent, services), services.log);
}

async function choices(configuration: AgentConfiguration, { environment }: AgentSetupServices): Promise<Choice[]> {
  const [found, installed] = await Promise.all([findAgents(environment), configuration.installed()]);
  return found.flatMap((agent): Choice[] => {
    const { agent: id } = agent.setup;
    const label = agentNames[id];
    const detail = agent.setup.folder(environment);
    if (!installed[id]) return [{ agent, label: `$(plug) ${label}`, detail, removes: false }];
    const isSetUp = vscode.l10n.t('set up');
    return [
      { agent, label: `$(check) ${label}`, description: isSetUp, detail, removes: false },
      { agent, label: `$(trash) ${vscode.l10n.t('Remove from {0}', label)}`, description: isSetUp, removes: true },
    ];
  });
}

/** Opens a diff for each file, and asks. */
async function agreed({ agent, files }: SetupPlan, removes: boolean, shown: PlannedFiles): Promise<boolean> {
  const name = agentNames[agent];
  if (files.length === 0) {
    void vscode.window.showInformationMessage(vscode.l10n.t('{0} is set up already.', name));
    return false;
  }
  for (const file of files) await shown.show(file);
  try {
    return await confirmed(name, files, removes);
  } finally {
    await shown.close();
  }
}

async function confirmed(name: string, files: SetupPlan['files'], removes: boolean): Promise<boolean> {
  const message = removes
    ? vscode.l10n.t('Remove Strata from {0}? The diff shows what changes.', name)
    : vscode.l10n.t('Set up Strata in {0}? The diff shows what changes.', name);
  const act = removes ? vscode.l10n.t('Remove') : vscode.l10n.t('Write');
  const detail = files.map(({ file }) => file).join('\n');
  return (await vscode.window.showInformationMessage(message, { modal: true, detail }, act)) === act;
}

async function checked(
  configuration: AgentConfiguration,
  agent: FoundAgent,
  { environment }: AgentSetupServices,
): Promise<CheckOutcome> {
  const title = vscode.l10n.t('{0} checks the setup…', agentNames[agent.setup.agent]);
  return await vscode.window.withProgress({ location: vscode.ProgressLocation.Notification, title }, () =>
    configuration.check(agent, workFolder() ?? environment.home),
  );
}

async function tellOfCheck(name: string, outcome: CheckOutcome, log: vscode.LogOutputChannel): Promise<void> {
  if (outcome.kind === 'seen') {
    void vscode.window.showInformationMessage(vscode.l10n.t('{0} sees Strata’s tools.', name));
  } else if (outcome.kind === 'not-checked') {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Strata was set up in {0}. It is used from its next start on.', name),
    );
  } else if (outcome.kind === 'no-answer') {
    void vscode.window.showWarningMessage(
      vscode.l10n.t(
        'Strata was set up in {0}, but not checked: "{1}" did not end within {2} seconds.',
        ...[name, outcome.command, outcome.seconds],
      ),
    );
  } else {
    log.warn(`${outcome.command}: ${outcome.output}`);
    const showLog = vscode.l10n.t('Show Log');
    const message = vscode.l10n.t('Strata was set up in {0}, but {0} does not list it.', name);
    if ((await vscode.window.showWarningMessage(message, showLog)) === showLog) log.show();
  }
}
