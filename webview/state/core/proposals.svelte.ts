import type { CoreItem, CoreItemStatus } from '../../../extension/engine/core/core';
import type { Caller } from '../../../extension/protocol/rpc';
import { t } from '../../l10n';
import type { Notices } from '../notices.svelte';
import { Attempt } from '../shared/attempt.svelte';

/** The search for goals, constraints and decisions in the conversation, and decisions on all proposals at once. */
export class Proposals {
  readonly search = new Attempt();
  readonly decision = new Attempt();

  constructor(
    private readonly request: Caller['request'],
    private readonly notices: Notices,
  ) {}

  find = (): Promise<boolean> =>
    this.search.run(
      async () => this.notices.tell(foundText((await this.request('propose-core', {})).added)),
      (reason) => t('Nothing was proposed: {0}', reason),
    );

  /** One after the other; stops at the first failure. */
  decideAll = (items: readonly CoreItem[], status: Extract<CoreItemStatus, 'active' | 'refused'>): Promise<boolean> =>
    this.decision.run(
      async () => {
        for (const { id } of items) await this.request('change-core-item', { id, status });
        this.notices.tell(status === 'active' ? acceptedText(items.length) : refusedText(items.length));
      },
      (reason) => t('Some proposals were not decided: {0}', reason),
    );

  reset(): void {
    this.search.failure = null;
    this.decision.failure = null;
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
