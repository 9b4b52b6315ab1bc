import { programOnPath } from '../../models/command/program-on-path';
import type { AgentEnvironment } from '../../platform/files/environment';
import { exists } from '../../platform/files/exists';
import type { AgentSetup } from './agent-setup';
import { agentSetups } from './setups';

/** An agent that is installed here. */
export interface FoundAgent {
  readonly setup: AgentSetup;
  /** The file of its program; null if it is not on the search path. */
  readonly program: string | null;
}

/** The agents whose program or configuration folder exists. */
export async function findAgents(environment: AgentEnvironment): Promise<readonly FoundAgent[]> {
  const found = await Promise.all(
    agentSetups.map(async (setup): Promise<FoundAgent[]> => {
      const program = await programOf(setup, environment);
      return program !== null || (await exists(setup.folder(environment))) ? [{ setup, program }] : [];
    }),
  );
  return found.flat();
}

export async function programOf(
  { programs }: Pick<AgentSetup, 'programs'>,
  { variables }: Pick<AgentEnvironment, 'variables'>,
): Promise<string | null> {
  return await programOnPath(programs, variables);
}
