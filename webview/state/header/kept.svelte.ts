import type { KeptView } from '../../../extension/protocol/kept';
import type { Caller } from '../../../extension/protocol/rpc';
import type { Notices } from '../notices.svelte';

/** How much Strata keeps of its own conversations, and their deletion. */
export class KeptConversations {
  /** Null until it is known. */
  view = $state.raw<KeptView | null>(null);
  readonly #request: Caller['request'];
  readonly #notices: Notices;

  constructor(request: Caller['request'], notices: Notices) {
    this.#request = request;
    this.#notices = notices;
  }

  read = async (): Promise<void> => {
    await this.#notices.watch(this.#show('read-kept'));
  };

  /** VS Code shows the list to choose from, and asks before it deletes. */
  manage = async (): Promise<void> => {
    await this.#notices.watch(this.#show('manage-kept'));
  };

  async #show(method: 'read-kept' | 'manage-kept'): Promise<void> {
    this.view = await this.#request(method, {});
  }
}
