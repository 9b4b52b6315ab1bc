import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentEnvironment } from '../../sessions/adapter';
import { exists } from '../../sessions/files/exists';
import type { AgentId } from '../../sessions/session';
import { agentPlaces } from '../places';
import type { AgentSetup } from './agent-setup';
import { type CheckOutcome, checkAgent } from './check';
import { bytesOf, writeWhole } from './files';
import type { FoundAgent } from './found-agents';
import { type Installed, readInstalled, writeInstalled } from './installed';
import { launcherText, launchOf, type Program } from './launch';
import { carryOut, planRemoval, planSetup, type SetupPlan } from './plan';

export interface SetupServices {
  readonly environment: AgentEnvironment;
  readonly program: Program;
  /** Has one folder for each agent that Strata has a plugin for. */
  readonly plugins: string;
}

/** Strata in the configuration of agents: planned, carried out, taken out again. */
export class AgentConfiguration {
  readonly #places: ReturnType<typeof agentPlaces>;

  constructor(private readonly services: SetupServices) {
    this.#places = agentPlaces(services.environment);
  }

  async installed(): Promise<Installed> {
    return await readInstalled(this.#places.installed);
  }

  async planSetup(setup: AgentSetup): Promise<SetupPlan> {
    const { environment, program } = this.services;
    const server = setup.server(environment, launchOf(setup.agent, program, this.#places.launcher));
    return await planSetup(setup.agent, [server, ...(await this.#pluginEdits(setup))], await this.installed());
  }

  async #pluginEdits({ agent, plugin }: AgentSetup) {
    const { environment, plugins } = this.services;
    const folder = join(plugins, agent);
    return plugin !== undefined && (await exists(folder)) ? plugin(environment, folder) : [];
  }

  async planRemoval(agent: AgentId): Promise<SetupPlan> {
    return await planRemoval(agent, await this.installed());
  }

  async carryOut(plan: SetupPlan): Promise<void> {
    const { launcher, installed } = this.#places;
    if (plan.installed.length > 0) await this.refreshLauncher();
    await carryOut(plan, installed);
    if (Object.keys(await this.installed()).length > 0) return;
    await rm(launcher, { force: true });
    await rm(installed, { force: true });
  }

  /**
   * Has the agent itself check the setup. Some agents write their configuration anew when they are started; that belongs
   * to the setup then, so that a removal restores what was there before.
   */
  async check(agent: FoundAgent, folder: string): Promise<CheckOutcome> {
    const outcome = await checkAgent(agent, folder);
    if (outcome.kind === 'not-checked') return outcome;
    const { [agent.setup.agent]: files = [], ...others } = await this.installed();
    const settled = await Promise.all(
      files.map(async (each) => ({ ...each, after: (await bytesOf(each.file))?.toString('base64') ?? each.after })),
    );
    await writeInstalled(this.#places.installed, { ...others, [agent.setup.agent]: settled });
    return outcome;
  }

  /** The launcher starts this Strata from now on. */
  async refreshLauncher(): Promise<void> {
    const { environment, program } = this.services;
    await writeWhole(this.#places.launcher, Buffer.from(launcherText(program, environment)));
  }
}
