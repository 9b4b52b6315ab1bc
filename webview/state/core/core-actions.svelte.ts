import type { CoreItem, CoreItemStatus } from '../../../extension/engine/core/core';
import type { Caller } from '../../../extension/protocol/rpc';
import { t } from '../../l10n';
import type { Notices } from '../notices.svelte';
import { messageOf } from '../shared/loadable';
import { orderWith, pinKindLabels } from './core-items';

/** Why a change of one core item failed. */
interface CoreFailure {
  readonly id: string;
  readonly message: string;
}

/** Changes and moves core items. A failure is shown in the item; a success is announced to screen readers. */
export class CoreItemActions {
  failure = $state.raw<CoreFailure | null>(null);

  constructor(
    private readonly request: Caller['request'],
    private readonly notices: Notices,
  ) {}

  failureOf(id: string): string | null {
    return this.failure?.id === id ? this.failure.message : null;
  }

  change = (item: Pick<CoreItem, 'id' | 'kind' | 'status'>, status: CoreItemStatus): Promise<void> =>
    this.#do(item.id, this.request('change-core-item', { id: item.id, status }), {
      done: changedText(item, status),
      failed: (reason) => unchangedText(status, reason),
    });

  /** Moves an item to the place of another active one of its kind. */
  move = async (items: readonly CoreItem[], { id }: CoreItem, placeOf: string): Promise<void> => {
    const ids = orderWith(items, id, placeOf);
    if (!ids) return;
    const active = ids.filter((each) => items.find((item) => item.id === each)?.status === 'active');
    await this.#do(id, this.request('order-core-items', { ids }), {
      done: t('Moved to {0} of {1}', active.indexOf(id) + 1, active.length),
      failed: (reason) => t('The item was not moved: {0}', reason),
    });
  };

  reset(): void {
    this.failure = null;
  }

  async #do(
    id: string,
    work: Promise<unknown>,
    words: { readonly done: string; readonly failed: (reason: string) => string },
  ): Promise<void> {
    this.failure = null;
    try {
      await work;
      this.notices.speak(words.done);
    } catch (error) {
      this.failure = { id, message: words.failed(messageOf(error)) };
    }
  }
}

function changedText({ kind, status: before }: Pick<CoreItem, 'kind' | 'status'>, after: CoreItemStatus): string {
  if (after === 'active') {
    const isNew = before === 'proposed' || before === 'refused';
    return isNew ? t('{0} added to the core', pinKindLabels[kind]) : t('Made active again');
  }
  return {
    proposed: t('Proposed again'),
    done: t('Marked done'),
    superseded: t('Removed from the core'),
    refused: t('Refused'),
  }[after];
}

function unchangedText(status: CoreItemStatus, reason: string): string {
  return {
    active: t('The item was not added to the core: {0}', reason),
    proposed: t('The item was not proposed again: {0}', reason),
    done: t('The item was not marked done: {0}', reason),
    superseded: t('The item was not removed from the core: {0}', reason),
    refused: t('The item was not refused: {0}', reason),
  }[status];
}
