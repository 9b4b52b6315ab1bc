import type { KeptConversation } from '../../middleware/requests/kept-conversation';
import type { ConversationRecord } from '../../sessions/strata/records';
import { AgentContext } from '../agent-context';
import type { Setting } from '../setting';
import type { ShelvedConversation } from './shelf';

/** A conversation that requests are kept in, with what a developer works on it with. */
export class KeptContext implements KeptConversation {
  readonly agent: AgentContext;

  constructor(
    readonly id: string,
    private readonly shelved: ShelvedConversation,
    private readonly setting: Setting,
  ) {
    this.agent = new AgentContext(setting);
  }

  get conversation() {
    return this.shelved.conversation.conversation;
  }

  get model() {
    return this.shelved.conversation.model;
  }

  get contextWindow() {
    return this.shelved.conversation.contextWindow;
  }

  get context() {
    return this.agent.current;
  }

  get state() {
    return this.setting.journal.state;
  }

  get ledger() {
    return this.setting.ledger;
  }

  async append(records: readonly ConversationRecord[]): Promise<void> {
    await this.shelved.conversation.write(records);
    await this.agent.refresh();
  }
}
