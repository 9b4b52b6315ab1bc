import { t } from '../../l10n';
import { messageOf } from '../shared/loadable';

/** Editing of one text. Unsaved text is kept until it is saved or discarded, also after a failed save. */
export class TextEdit {
  /** The edited text; null while not editing. */
  draft = $state<string | null>(null);
  isSaving = $state(false);
  failure = $state<string | null>(null);
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
    this.failure = null;
  };

  type = (text: string): void => {
    this.draft = text;
    this.failure = null;
  };

  cancel = (): void => {
    this.draft = null;
    this.failure = null;
  };

  save = async (): Promise<void> => {
    const { draft } = this;
    if (draft === null || this.isSaving) return;
    if (draft.trim() === '') {
      this.failure = t('A block needs some text. To have the messages back instead, undo the compaction.');
      return;
    }
    this.isSaving = true;
    this.failure = null;
    try {
      await this.#save(draft, this.#before);
      this.draft = null;
    } catch (error) {
      this.failure = messageOf(error);
    } finally {
      this.isSaving = false;
    }
  };
}
