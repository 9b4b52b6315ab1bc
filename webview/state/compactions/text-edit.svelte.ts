import { t } from '../../l10n';
import { Attempt } from '../shared/attempt.svelte';

/** Editing of one text. Unsaved text is kept until it is saved or discarded, also after a failed save. */
export class TextEdit {
  /** The edited text; null while not editing. */
  draft = $state<string | null>(null);
  readonly saving = new Attempt();
  /** The text at the start of the edit. */
  #before = '';
  readonly #save: (text: string, before: string) => Promise<unknown>;

  constructor(save: (text: string, before: string) => Promise<unknown>) {
    this.#save = save;
  }

  readonly isOpen = $derived(this.draft !== null);

  open = (text: string): void => {
    this.#before = text;
    this.draft = text;
    this.saving.failure = null;
  };

  type = (text: string): void => {
    this.draft = text;
    this.saving.failure = null;
  };

  cancel = (): void => {
    this.draft = null;
    this.saving.failure = null;
  };

  save = async (): Promise<void> => {
    const { draft } = this;
    if (draft === null || this.saving.isRunning) return;
    if (draft.trim() === '') {
      this.saving.failure = t('A block needs some text. To have the messages back instead, undo the compaction.');
      return;
    }
    if (await this.saving.run(() => this.#save(draft, this.#before))) this.draft = null;
  };
}
