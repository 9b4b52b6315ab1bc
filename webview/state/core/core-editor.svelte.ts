import type { CoreItem } from '../../../extension/engine/core/core';
import type { Caller } from '../../../extension/protocol/rpc';
import { Attempt } from '../shared/attempt.svelte';

/**
 * `edit`: rewords the item. `accept`: accepts a proposal with other words. `replace`: creates a new item that
 * supersedes the old one.
 */
export type CorePurpose = 'edit' | 'accept' | 'replace';

/** Inline editor for the text of one core item. */
export class CoreEditor {
  item = $state.raw<CoreItem | null>(null);
  purpose = $state<CorePurpose>('edit');
  text = $state('');
  rationale = $state('');
  readonly saving = new Attempt();

  constructor(private readonly request: Caller['request']) {}

  /** Pinning takes no rationale, so it is added to the decision afterwards. */
  readonly hasRationale: boolean = $derived(this.item?.kind === 'decision' && this.purpose !== 'replace');
  readonly canSave: boolean = $derived(
    this.text.trim() !== '' && !this.saving.isRunning && (this.purpose !== 'replace' || this.#isReworded()),
  );

  begin = (item: CoreItem, purpose: CorePurpose): void => {
    this.item = item;
    this.purpose = purpose;
    this.text = item.text;
    this.rationale = item.rationale ?? '';
    this.saving.failure = null;
  };

  close = (): void => {
    this.item = null;
    this.saving.failure = null;
  };

  /** Stays open and shows the reason if the host refuses. */
  save = async (): Promise<void> => {
    const { item } = this;
    if (!item || !this.canSave) return;
    const isSaved = await this.saving.run(() =>
      this.purpose === 'replace' ? this.#replace(item) : this.#reword(item),
    );
    if (isSaved && this.item === item) this.close();
  };

  #isReworded(): boolean {
    return this.text.trim() !== this.item?.text;
  }

  async #reword({ id, text, rationale, status }: CoreItem): Promise<void> {
    const changed = { id, text: this.text.trim(), rationale: this.#writtenRationale(rationale) };
    if (changed.text !== text || changed.rationale !== rationale) await this.request('edit-core-item', changed);
    if (this.purpose === 'accept' && status !== 'active') {
      await this.request('change-core-item', { id, status: 'active' });
    }
  }

  /** Pins the new item first: if the second step fails, nothing is missing from the core. */
  async #replace({ id, kind }: CoreItem): Promise<void> {
    await this.request('pin', { kind, text: this.text.trim(), rowKey: null });
    await this.request('change-core-item', { id, status: 'superseded' });
  }

  #writtenRationale(old: string | null): string | null {
    if (!this.hasRationale) return old;
    return this.rationale.trim() === '' ? null : this.rationale.trim();
  }
}
