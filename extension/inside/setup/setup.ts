import { execFile } from 'node:child_process';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AgentEnvironment } from '../../platform/files/environment';
import { exists } from '../../platform/files/exists';
import type { AgentId } from '../../sessions/session';
import { agentPlaces } from '../places';
import type { AgentSetup, ConfigurationEdit, PluginSetup } from './agent-setup';
import { type CheckOutcome, checkAgent } from './check';
import { bytesOf, writeWhole } from './files';
import type { FoundAgent } from './found-agents';
import { type Installed, readInstalled, writeInstalled } from './installed';
import { launcherText, launchOf, nodeWords, type Program } from './launch';
import { carryOut, planRemoval, planSetup, type SetupPlan } from './plan';
import { agentSetups } from './setups';

interface SetupServices {
  readonly environment: AgentEnvironment;
  readonly program: Program;
  /** Contains one folder for each agent that Strata has a plugin for. */
  readonly plugins: string;
  /** The server may read the sessions of all projects, not only those of the agent's own. */
  readonly allProjects: boolean;
}

/** Plans, makes and removes Strata's entries in the configuration of agents. */
export class AgentConfiguration {
  readonly #places: ReturnType<typeof agentPlaces>;

  constructor(private readonly services: SetupServices) {
    this.#places = agentPlaces(services.environment);
  }

  async installed(): Promise<Installed> {
    return await readInstalled(this.#places.installed);
  }

  /** Whether the setup in agents starts this version of Strata. */
  async startsThis(): Promise<boolean> {
    const { program, environment } = this.services;
    const launcher = await bytesOf(this.#places.launcher);
    return launcher?.toString('utf8') === launcherText(program, environment);
  }

  /** Whether the setup in agents starts and answers. */
  async answers(): Promise<boolean> {
    return await launcherAnswers(this.#places.launcher, this.services.program);
  }

  /** The first missing file or folder of this Strata that the agent's setup needs; null if none is missing. */
  async missingPart({ agent, plugin }: AgentSetup): Promise<string | null> {
    const { program, plugins } = this.services;
    if (!(await exists(program.file))) return program.file;
    const needsPlugin = plugin !== undefined && nodeWords(program) !== null;
    const folder = join(plugins, agent);
    return needsPlugin && !(await exists(folder)) ? folder : null;
  }

  async planSetup(setup: AgentSetup): Promise<SetupPlan> {
    const { environment, program, allProjects } = this.services;
    const server = setup.server(environment, launchOf(setup.agent, program, this.#places.launcher, allProjects));
    return await planSetup(setup.agent, [server, ...(await this.#pluginEdits(setup))], await this.installed());
  }

  async #pluginEdits(setup: AgentSetup): Promise<readonly ConfigurationEdit[]> {
    const found = await this.#pluginOf(setup);
    const folder = join(this.#places.plugins, setup.agent);
    return found?.plugin.edits(this.services.environment, folder, found.node) ?? [];
  }

  /** Includes the words that start Node.js. Null without a plugin, or if it could not start Strata. */
  async #pluginOf({ agent, plugin }: AgentSetup): Promise<{ plugin: PluginSetup; node: readonly string[] } | null> {
    const node = nodeWords(this.services.program);
    if (plugin === undefined || node === null) return null;
    return (await exists(join(this.services.plugins, agent))) ? { plugin, node } : null;
  }

  /** Copies this Strata's plugin to the place that the agent's configuration names. */
  async #copyPlugin(setup: AgentSetup): Promise<void> {
    const found = await this.#pluginOf(setup);
    const folder = join(this.#places.plugins, setup.agent);
    await rm(folder, { recursive: true, force: true });
    if (found === null) return;
    const { plugin, node } = found;
    const within = join(folder, plugin.within ?? '');
    await cp(join(this.services.plugins, setup.agent), within, { recursive: true });
    const command = [...node, this.#places.launcher];
    const lines = `/** Written by \`strata setup\`. */\nexport const command = ${JSON.stringify(command)};\n`;
    await writeWhole(join(within, plugin.commandFile ?? 'command.js'), Buffer.from(lines));
    for (const [path, text] of Object.entries(plugin.files ?? {}))
      await writeWhole(join(folder, path), Buffer.from(text));
  }

  async planRemoval(agent: AgentId): Promise<SetupPlan> {
    return await planRemoval(agent, await this.installed());
  }

  async carryOut(plan: SetupPlan): Promise<void> {
    const { launcher, installed, plugins } = this.#places;
    if (plan.installed.length > 0) await this.#provide([plan.agent]);
    await carryOut(plan, installed);
    if (plan.installed.length === 0) await rm(join(plugins, plan.agent), { recursive: true, force: true });
    if (Object.keys(await this.installed()).length > 0) return;
    for (const path of [launcher, installed, plugins]) await rm(path, { recursive: true, force: true });
  }

  /**
   * Has the agent itself check the setup. Some agents rewrite their configuration when they start. Such a change counts as part of the
   * setup, so that a removal restores the previous content. Changes from before the check are a person's.
   */
  async check(agent: FoundAgent, folder: string): Promise<CheckOutcome> {
    const { [agent.setup.agent]: before = [] } = await this.installed();
    const asWritten = await Promise.all(before.map(async ({ file, after }) => (await textOf(file)) === after));
    const outcome = await checkAgent(agent, folder);
    if (outcome.kind === 'not-checked' || before.length === 0) return outcome;
    const settled = await Promise.all(
      before.map(async (each, index) =>
        asWritten[index] ? { ...each, after: (await textOf(each.file)) ?? each.after } : each,
      ),
    );
    await writeInstalled(this.#places.installed, { ...(await this.installed()), [agent.setup.agent]: settled });
    return outcome;
  }

  /** Makes the agents that are set up start this Strata. */
  async refresh(): Promise<void> {
    const agents = Object.keys(await this.installed());
    if (agents.length > 0) await this.#provide(agents);
  }

  async #provide(agents: readonly string[]): Promise<void> {
    const { environment, program } = this.services;
    await writeWhole(this.#places.launcher, Buffer.from(launcherText(program, environment)));
    for (const setup of agentSetups.filter(({ agent }) => agents.includes(agent))) await this.#copyPlugin(setup);
  }
}

/** In base64; null if there is no such file. */
async function textOf(file: string): Promise<string | null> {
  return (await bytesOf(file))?.toString('base64') ?? null;
}

/** Maximum milliseconds for a program to print its version. */
const patience = 20_000;

/** Whether the installed launcher starts a Strata that prints its version. Never rejects. */
async function launcherAnswers(launcher: string, { node, variables }: Program): Promise<boolean> {
  try {
    const options = { timeout: patience, env: { ...process.env, ...variables } };
    const { stdout } = await promisify(execFile)(node, [launcher, '--version'], options);
    return /^\d+\.\d+/.test(stdout.trim());
  } catch {
    return false;
  }
}
