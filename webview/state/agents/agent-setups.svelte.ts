import type { AgentSetupView, SetupOutcomeView, SetupResult } from '../../../extension/protocol/agents';
import type { Caller } from '../../../extension/protocol/rpc';
import { type Loadable, load, loading, messageOf } from '../shared/loadable';

type SetupAct = 'set-up-agent' | 'remove-from-agent' | 'check-agent';

/** The page on which Strata is set up in agents. */
export class AgentSetups {
  isOpen = $state(false);
  agents = $state.raw<Loadable<readonly AgentSetupView[]>>(loading);
  /** The agent for which an action is running. The host runs one at a time. */
  working = $state<string | null>(null);
  /** The result of the newest action, by agent. */
  outcomes = $state.raw<Readonly<Record<string, SetupOutcomeView>>>({});

  constructor(private readonly request: Caller['request']) {}

  open = async (): Promise<void> => {
    this.isOpen = true;
    this.outcomes = {};
    await this.refresh();
  };

  close = (): void => {
    this.isOpen = false;
  };

  /** The files may have changed: other programs and the agent itself write them too. */
  refresh = async (): Promise<void> => {
    this.agents = await load(this.request('list-agents', {}));
  };

  setUp = (agent: string) => this.#act('set-up-agent', agent);
  remove = (agent: string) => this.#act('remove-from-agent', agent);
  check = (agent: string) => this.#act('check-agent', agent);

  showFile = async (agent: string, file: string): Promise<void> => {
    try {
      await this.request('show-setup-file', { agent, file });
    } catch (error) {
      this.#tell(agent, { text: messageOf(error), isGood: false });
    }
  };

  async #act(act: SetupAct, agent: string): Promise<void> {
    if (this.working !== null) return;
    this.working = agent;
    try {
      this.#show(agent, await this.request(act, { agent }));
    } catch (error) {
      this.#tell(agent, { text: messageOf(error), isGood: false });
    } finally {
      this.working = null;
    }
  }

  #show(agent: string, { agents, outcome }: SetupResult): void {
    this.agents = { kind: 'ready', value: agents };
    this.#tell(agent, outcome);
  }

  #tell(agent: string, outcome: SetupOutcomeView | null): void {
    const { [agent]: _, ...others } = this.outcomes;
    this.outcomes = outcome === null ? others : { ...others, [agent]: outcome };
  }
}
