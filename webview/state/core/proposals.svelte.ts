import type { CoreItem, CoreItemStatus } from '../../../extension/engine/core/core';
import type { Caller } from '../../../extension/protocol/rpc';
import { t } from '../../l10n';
import type { Notices } from '../notices.svelte';
import { messageOf } from '../shared/loadable';

/** The search for goals, constraints and decisions in the conversation, and decisions on all proposals at once. */
export class Proposals {
  isSearching = $state(false);
  isDeciding = $state(false);
  /** Why the search failed, and why not all proposals were decided on. */
  failure = $state<string | null>(null);
  undecided = $state<string | null>(null);

  constructor(
    private readonly request: Caller['request'],
    private readonly notices: Notices,
  ) {}

  find = async (): Promise<void> => {
    if (this.isSearching) return;
    this.isSearching = true;
    this.failure = null;
    try {
      const { added } = await this.request('propose-core', {});
      this.notices.tell(foundText(added));
    } catch (error) {
      this.failure = t('Nothing was proposed: {0}', messageOf(error));
    } finally {
      this.isSearching = false;
    }
  };

  /** One after the other; stops at the first failure. */
  decideAll = async (
    items: readonly CoreItem[],
    status: Extract<CoreItemStatus, 'active' | 'refused'>,
  ): Promise<void> => {
    if (this.isDeciding) return;
    this.isDeciding = true;
    this.undecided = null;
    try {
      await this.#decide(items, status);
    } catch (error) {
      this.undecided = t('Some proposals were not decided: {0}', messageOf(error));
    } finally {
      this.isDeciding = false;
    }
  };

  reset(): void {
    this.failure = null;
    this.undecided = null;
  }

  async #decide(items: readonly CoreItem[], status: CoreItemStatus): Promise<void> {
    for (const { id } of items) await this.request('change-core-item', { id, status });
    this.notices.tell(status === 'active' ? acceptedText(items.length) : refusedText(items.length));
  }
}

function acceptedText(count: number): string {
  return count === 1 ? t('1 proposal accepted.') : t('{0} proposals accepted.', count);
}

function refusedText(count: number): string {
  return count === 1 ? t('1 proposal refused.') : t('{0} proposals refused.', count);
}

function foundText(added: number): string {
  if (added === 0) return t('Nothing new was found to propose.');
  return added === 1
    ? t('1 proposal added. Accept or refuse each.')
    : t('{0} proposals added. Accept or refuse each.', added);
}

/** Who proposed an item, unless it was the user. */
export function proposerText(proposedBy: string | undefined): string {
  if (proposedBy === undefined) return t('proposed');
  return proposedBy === 'structure' || proposedBy === 'sentences'
    ? t('found in the conversation')
    : t('proposed by {0}', proposedBy);
}
