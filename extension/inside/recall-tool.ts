import { toolNames } from '../inspection/tools/tool-names';
import type { AgentEnvironment } from '../platform/files/environment';
import { processEnvironment } from '../platform/files/environment';
import type { AgentId } from '../sessions/session';
import { agentPlaces } from './places';
import { readInstalled } from './setup/installed';

/** The tool by which the agent gets back what compactions leave out: that of Strata's server, where `strata setup` put it in. */
export async function recallToolOf(
  agent: AgentId,
  environment: Pick<AgentEnvironment, 'home' | 'variables'> = processEnvironment(),
): Promise<string | undefined> {
  const { [agent]: files = [] } = await readInstalled(agentPlaces(environment).installed);
  return files.length > 0 ? toolNames.recall : undefined;
}
