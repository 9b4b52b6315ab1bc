import type { OwnConversationsView } from '../../../extension/protocol/own-conversations';
import type { Caller } from '../../../extension/protocol/rpc';
import type { Notices } from '../notices.svelte';

/** How much Strata keeps of its own conversations, and their deletion. */
export class OwnConversations {
  /** Null until it is known. */
  view = $state.raw<OwnConversationsView | null>(null);

  constructor(
    private readonly request: Caller['request'],
    private readonly notices: Notices,
  ) {}

  read = async (): Promise<void> => {
    await this.notices.watch(this.#show('read-own-conversations'));
  };

  /** VS Code shows the list to choose from, and asks before it deletes. */
  manage = async (): Promise<void> => {
    await this.notices.watch(this.#show('manage-own-conversations'));
  };

  async #show(method: 'read-own-conversations' | 'manage-own-conversations'): Promise<void> {
    this.view = await this.request(method, {});
  }
}
