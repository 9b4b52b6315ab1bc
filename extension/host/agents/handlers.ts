import type { AgentSetupRequests } from '../../protocol/agents';
import type { RequestHandlers } from '../../protocol/rpc';
import type { AgentSetups } from './agent-setups';

/** Handlers of the panel's requests about Strata in agents. */
export function agentSetupHandlers(setups: AgentSetups): Pick<RequestHandlers, keyof AgentSetupRequests> {
  return {
    'list-agents': () => setups.list(),
    'show-setup-file': async ({ agent, file }) => {
      await setups.showFile(agent, file);
      return null;
    },
    'set-up-agent': ({ agent }) => setups.setUp(agent),
    'remove-from-agent': ({ agent }) => setups.remove(agent),
    'check-agent': ({ agent }) => setups.check(agent),
  };
}
