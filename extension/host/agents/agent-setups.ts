import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { promisify } from 'node:util';
import * as vscode from 'vscode';
import { OperationRefused } from '../../engine/journal/operation-refused';
import { type FoundAgent, findAgents, programOf } from '../../inside/setup/found-agents';
import type { Program } from '../../inside/setup/launch';
import type { PlannedFile, SetupPlan } from '../../inside/setup/plan';
import { AgentConfiguration } from '../../inside/setup/setup';
import type { AgentEnvironment } from '../../platform/files/environment';
import type {
  AgentSetupView,
  agentSetupRequests,
  SetupFileView,
  SetupOutcomeView,
  SetupResult,
} from '../../protocol/agents';
import type { RequestHandlers } from '../../protocol/rpc';
import { agentNames } from '../../sessions/session';
import { workFolder } from '../conversations/work-folder';
import { failureText } from '../failures/failure-text';
import { checkText, reachText } from './agent-texts';
import { readsAllProjects } from './mcp-definition';
import { PlannedFiles } from './planned-files';

interface AgentSetupServices {
  readonly environment: AgentEnvironment;
  /** The file of the `strata` command, and the folder with a plugin for each agent. */
  readonly program: string;
  readonly plugins: string;
  readonly log: vscode.LogOutputChannel;
}

/** The same as `strata setup`: shows what it would write, asks, writes it, and has the agent check it. */
export class AgentSetups implements vscode.Disposable {
  readonly #files = new PlannedFiles();
  /** Whether the installed plugin or server has answered since the editor started. */
  #answered = false;

  constructor(private readonly services: AgentSetupServices) {
    void this.#refreshLauncher().catch((error) => services.log.warn(`The launcher of the MCP server: ${error}`));
  }

  async list(): Promise<readonly AgentSetupView[]> {
    const configuration = await this.#configuration();
    const found = await findAgents(this.services.environment);
    return await Promise.all(found.map((agent) => this.#viewOf(agent, configuration)));
  }

  async showFile(agent: string, file: string): Promise<void> {
    const configuration = await this.#configuration();
    const plan = await configuration.planSetup((await this.#found(agent)).setup);
    const planned = plan.files.find((each) => each.file === file);
    await this.#files.close();
    if (planned !== undefined) return await this.#files.show(planned);
    const isOurs = plan.installed.some((each) => each.file === file);
    if (!isOurs) throw new OperationRefused('Strata writes no file {0}.', [file]);
    await vscode.window.showTextDocument(vscode.Uri.file(file), { preview: true });
  }

  async setUp(agent: string): Promise<SetupResult> {
    const found = await this.#found(agent);
    const configuration = await this.#configuration();
    const missing = await configuration.missingPart(found.setup);
    if (missing !== null) throw new OperationRefused(incompleteText(missing));
    const plan = await configuration.planSetup(found.setup);
    this.#answered = false;
    if (plan.files.length === 0) {
      // The installed files may still be of another version.
      await configuration.carryOut(plan);
    } else if (!(await this.#isAgreed(plan, false))) return await this.#result(null);
    else await configuration.carryOut(plan);
    return await this.#result(await this.#checked(found, configuration));
  }

  async remove(agent: string): Promise<SetupResult> {
    const { setup } = await this.#found(agent);
    const configuration = await this.#configuration();
    const plan = await configuration.planRemoval(setup.agent);
    if (!(await this.#isAgreed(plan, true))) return await this.#result(null);
    await configuration.carryOut(plan);
    const text = vscode.l10n.t('Strata was removed from {0}.', agentNames[setup.agent]);
    return await this.#result({ text, isGood: true });
  }

  async check(agent: string): Promise<SetupResult> {
    return await this.#result(await this.#checked(await this.#found(agent), await this.#configuration()));
  }

  async #result(outcome: SetupOutcomeView | null): Promise<SetupResult> {
    return { agents: await this.list(), outcome };
  }

  async #found(agent: string): Promise<FoundAgent> {
    const found = (await findAgents(this.services.environment)).find(({ setup }) => setup.agent === agent);
    if (found !== undefined) return found;
    throw new OperationRefused('This agent is no longer installed here.');
  }

  async #viewOf(found: FoundAgent, configuration: AgentConfiguration): Promise<AgentSetupView> {
    const { setup, program } = found;
    const missing = await configuration.missingPart(setup);
    const { [setup.agent]: installed } = await configuration.installed();
    const view = {
      ...{ agent: setup.agent, name: agentNames[setup.agent], folder: setup.folder(this.services.environment) },
      ...{ reach: reachText(setup), canCheck: program !== null && installed !== undefined },
    };
    try {
      const { files } = await configuration.planSetup(setup);
      const isThis = files.length === 0 && (await configuration.startsThis());
      const problem = missing === null ? null : incompleteText(missing);
      if (installed === undefined) return { ...view, state: 'none', files: files.map(fileView), problem };
      const written = installed.map(({ file }): SetupFileView => ({ file, change: 'written' }));
      const shown = files.length === 0 ? written : files.map(fileView);
      if (!isThis) return { ...view, state: 'other', files: shown, problem };
      return { ...view, state: (await this.#answers(configuration)) ? 'set-up' : 'silent', files: shown, problem };
    } catch (error) {
      // One agent with a broken file does not affect the others.
      return { ...view, state: installed ? 'other' : 'none', files: [], problem: failureText(error) };
    }
  }

  /** Whether what is installed answers. It is asked until it has answered once. */
  async #answers(configuration: AgentConfiguration): Promise<boolean> {
    this.#answered ||= await configuration.answers();
    return this.#answered;
  }

  /** Opens a diff for each file, and asks. */
  async #isAgreed(plan: SetupPlan, removes: boolean): Promise<boolean> {
    await this.#files.close();
    for (const file of plan.files) await this.#files.show(file);
    try {
      return await confirmed(plan, removes);
    } finally {
      await this.#files.close();
    }
  }

  async #checked(found: FoundAgent, configuration: AgentConfiguration): Promise<SetupOutcomeView> {
    const outcome = await configuration.check(found, workFolder() ?? this.services.environment.home);
    if (outcome.kind === 'not-seen') this.services.log.warn(`${outcome.command}: ${outcome.output}`);
    return checkText(agentNames[found.setup.agent], outcome);
  }

  async #configuration(): Promise<AgentConfiguration> {
    const { environment, program, plugins } = this.services;
    return new AgentConfiguration({
      ...{ environment, plugins, allProjects: readsAllProjects() },
      program: await nodeProgram(program, environment),
    });
  }

  /** After an update, agents start the updated extension and its plugins. */
  async #refreshLauncher(): Promise<void> {
    await (await this.#configuration()).refresh();
  }

  dispose(): void {
    this.#files.dispose();
  }
}

/** Handlers of the panel's requests about Strata in agents. */
export function agentSetupHandlers(setups: AgentSetups): Pick<RequestHandlers, keyof typeof agentSetupRequests> {
  return {
    'list-agents': () => setups.list(),
    'show-setup-file': ({ agent, file }) => setups.showFile(agent, file),
    'set-up-agent': ({ agent }) => setups.setUp(agent),
    'remove-from-agent': ({ agent }) => setups.remove(agent),
    'check-agent': ({ agent }) => setups.check(agent),
  };
}

function incompleteText(path: string): string {
  return vscode.l10n.t('This installation of Strata is incomplete: {0} is missing. Install or build it again.', path);
}

function fileView({ file, current, planned }: PlannedFile): SetupFileView {
  if (current === null) return { file, change: 'new' };
  return { file, change: planned === null ? 'removed' : 'changed' };
}

async function confirmed({ agent, files }: SetupPlan, removes: boolean): Promise<boolean> {
  const name = agentNames[agent];
  const message = removes
    ? vscode.l10n.t('Remove Strata from {0}? The diff shows what changes.', name)
    : vscode.l10n.t('Set up Strata in {0}? The diff shows what changes.', name);
  const act = removes ? vscode.l10n.t('Remove') : vscode.l10n.t('Write');
  const detail = files.map(({ file }) => file).join('\n');
  return (await vscode.window.showInformationMessage(message, { modal: true, detail }, act)) === act;
}

/** As `engines.node` in package.json. */
const oldestMajor = 22;

/** The Node.js that agents start Strata with: the one on the search path if it is new enough, else the editor's own. */
async function nodeProgram(file: string, environment: AgentEnvironment): Promise<Program> {
  const node = await programOf({ programs: ['node'] }, environment);
  if (node !== null && (await isNewEnough(node))) return { node: await realpath(node), variables: {}, file };
  return { node: process.execPath, variables: { ELECTRON_RUN_AS_NODE: '1' }, file };
}

async function isNewEnough(node: string): Promise<boolean> {
  try {
    const { stdout } = await promisify(execFile)(node, ['--version'], { timeout: 10_000 });
    return Number(/^v(\d+)/.exec(stdout)?.[1] ?? 0) >= oldestMajor;
  } catch {
    return false;
  }
}
