import { fileURLToPath } from 'node:url';
import { createTwoFilesPatch } from 'diff';
import type { CheckOutcome } from '../inside/setup/check';
import { type FoundAgent, findAgents } from '../inside/setup/found-agents';
import type { PlannedFile, SetupPlan } from '../inside/setup/plan';
import { AgentConfiguration } from '../inside/setup/setup';
import { agentSetups } from '../inside/setup/setups';
import { processEnvironment } from '../platform/files/environment';
import { type AgentId, agentNames } from '../sessions/session';
import { CommandFailed } from './command-failed';
import { print, warn } from './output';
import { confirmed, hasTerminal } from './terminal';
import { askAgain } from './writer';

interface SetupOptions {
  readonly remove?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly allProjects?: boolean;
}

export const setupAgentIds = agentSetups.map(({ agent }) => agent);

/** Shows what would be written into the configuration of agents, asks, writes it, and has the agents check it. */
export async function setup(agents: readonly AgentId[], options: SetupOptions): Promise<void> {
  const configuration = new AgentConfiguration({
    environment: processEnvironment(),
    program: { node: process.execPath, variables: {}, file: fileURLToPath(new URL('strata.js', import.meta.url)) },
    plugins: fileURLToPath(new URL('../agents', import.meta.url)),
    allProjects: options.allProjects ?? false,
  });
  if (options.remove) await remove(configuration, agents, options);
  else await install(configuration, await chosen(agents), options);
}

async function chosen(agents: readonly AgentId[]): Promise<readonly FoundAgent[]> {
  const found = await findAgents(processEnvironment());
  const missing = agents.filter((agent) => !found.some(({ setup }) => setup.agent === agent));
  if (missing.length > 0) throw new CommandFailed(`not installed here: ${namesOf(missing)}`);
  if (found.length === 0) throw new CommandFailed(`no agent was found. Known ones: ${namesOf(setupAgentIds)}`);
  return agents.length === 0 ? found : found.filter(({ setup }) => agents.includes(setup.agent));
}

async function install(
  configuration: AgentConfiguration,
  found: readonly FoundAgent[],
  options: SetupOptions,
): Promise<void> {
  const plans: SetupPlan[] = [];
  for (const { setup } of found) plans.push(await configuration.planSetup(setup));
  if (!(await agreed(plans, 'Write this?', options))) return;
  for (const plan of plans) await configuration.carryOut(plan);
  const unseen: FoundAgent[] = [];
  for (const agent of found) {
    const outcome = await configuration.check(agent, process.cwd());
    if (!tell(agent.setup.agent, outcome)) unseen.push(agent);
  }
  if (!options.yes && hasTerminal()) await askAgain(found.map(({ setup }) => setup.agent));
  if (unseen.length === 0) return;
  const names = namesOf(unseen.map(({ setup }) => setup.agent));
  throw new CommandFailed(`the server was added, but ${names} cannot see it. \`strata setup --remove\` removes it.`);
}

async function remove(
  configuration: AgentConfiguration,
  agents: readonly AgentId[],
  options: SetupOptions,
): Promise<void> {
  const installed = Object.keys(await configuration.installed()) as AgentId[];
  const asked = agents.length === 0 ? installed : agents.filter((agent) => installed.includes(agent));
  if (asked.length === 0) return print('Strata is not set up in any of these agents.');
  const plans: SetupPlan[] = [];
  for (const agent of asked) plans.push(await configuration.planRemoval(agent));
  if (!(await agreed(plans, 'Remove this?', options))) return;
  for (const plan of plans) await configuration.carryOut(plan);
  print(`Removed from ${namesOf(asked)}.`);
}

/** Shows the plans. False if there is nothing to do. */
async function agreed(plans: readonly SetupPlan[], question: string, options: SetupOptions): Promise<boolean> {
  for (const { agent, files } of plans) {
    print(files.length === 0 ? `${agentNames[agent]}: nothing to change.` : `${agentNames[agent]}:`);
    for (const file of files) print(patchOf(file));
  }
  if (options.dryRun) return false;
  if (options.yes || plans.every(({ files }) => files.length === 0)) return true;
  if (!process.stdin.isTTY) throw new CommandFailed('nothing was written: confirm with --yes', true);
  return await confirmed(question);
}

function patchOf({ file, current, planned }: PlannedFile): string {
  const [before, after] = [current, planned].map((bytes) => bytes?.toString('utf8') ?? '');
  const nameOf = (bytes: Buffer | null) => (bytes === null ? '/dev/null' : file);
  return createTwoFilesPatch(nameOf(current), nameOf(planned), before ?? '', after ?? '').replace(
    /^(?:Index: .*\n)?=+\n/,
    '',
  );
}

/** False if the agent does not see the server. */
function tell(agent: AgentId, outcome: CheckOutcome): boolean {
  const name = agentNames[agent];
  switch (outcome.kind) {
    case 'seen':
      print(`${name} lists the server.`);
      return true;
    case 'not-checked':
      print(`${name} was set up. Its program is not on the search path, so it was not checked.`);
      return true;
    case 'no-answer':
      warn(
        `${name} was set up, but not checked: \`${outcome.command}\` did not end within ${outcome.seconds} seconds.`,
      );
      return true;
    case 'not-seen':
      warn(`${name} does not list the server (${outcome.command}):\n${outcome.output}`);
      return false;
  }
}

function namesOf(agents: readonly AgentId[]): string {
  return agents.map((agent) => agentNames[agent]).join(', ');
}
