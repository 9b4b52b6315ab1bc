import type { CoreItem, CoreItemStatus } from '../../extension/engine/core/core';
import type { Caller } from '../../extension/protocol/rpc';
import { plural } from './format';
import type { Notices } from './notices.svelte';

/** The search for goals, constraints and decisions in what was said, and what a person decides on all of them. */
export class Proposals {
  isSearching = $state(false);
  isDeciding = $state(false);
  readonly #request: Caller['request'];
  readonly #notices: Notices;

  constructor(request: Caller['request'], notices: Notices) {
    this.#request = request;
    this.#notices = notices;
  }

  find = async (): Promise<void> => {
    if (this.isSearching) return;
    this.isSearching = true;
    await this.#notices.watch(
      this.#request('propose-core', {}).then(({ added }) => this.#notices.tell(foundText(added))),
    );
    this.isSearching = false;
  };

  /** One after the other, and no further once one of them fails. */
  decideAll = async (
    items: readonly CoreItem[],
    status: Extract<CoreItemStatus, 'active' | 'refused'>,
  ): Promise<void> => {
    if (this.isDeciding) return;
    this.isDeciding = true;
    await this.#notices.watch(this.#decide(items, status));
    this.isDeciding = false;
  };

  async #decide(items: readonly CoreItem[], status: CoreItemStatus): Promise<void> {
    for (const { id } of items) await this.#request('change-core-item', { id, status });
    this.#notices.tell(`${plural(items.length, 'proposal')} ${status === 'active' ? 'accepted' : 'refused'}.`);
  }
}

function foundText(added: number): string {
  return added === 0
    ? 'Nothing new was found to propose.'
    : `${plural(added, 'proposal')} added. Accept or refuse each.`;
}

/** Who put an item forward, where it was not a person. */
export function proposerText(proposedBy: string | undefined): string {
  if (proposedBy === undefined) return 'proposed';
  return proposedBy === 'sentences' ? 'found in what was said' : `proposed by ${proposedBy}`;
}
